// SPDX-License-Identifier: Apache-2.0
// The small build has no texts.
const faultText = fault => fault === 11 ? 'it asks what only the package urivet knows: urivet/gate has no lists of names' : `fault ${fault}`;
