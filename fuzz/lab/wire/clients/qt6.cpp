// SPDX-License-Identifier: Apache-2.0
// The same program, built with Qt 6.
#include "qt5.cpp"
