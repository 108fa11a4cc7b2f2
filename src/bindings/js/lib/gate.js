// SPDX-License-Identifier: Apache-2.0
// The small build has no texts.
const faultText = fault => fault < 0 ? 'it has rules for parameters, or raises what is found by lists that urivet/gate has not' : `fault ${fault}`;
