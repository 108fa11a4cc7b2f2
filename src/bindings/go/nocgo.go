// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package urivet

var _ = urivet_needs_a_C_compiler_and_CGO_ENABLED_1
