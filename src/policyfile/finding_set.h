/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of findings, for src/cli/scan. */
#include "common/finding_set.h"
