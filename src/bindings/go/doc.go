// SPDX-License-Identifier: Apache-2.0

// Package urivet judges URLs, requests and addresses.
package urivet
