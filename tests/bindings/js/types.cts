// SPDX-License-Identifier: Apache-2.0
// The same in a program of CommonJS.
import axios = require('axios');
import agent = require('urivet/agent');
import guards = require('urivet/axios');
import urivet = require('urivet');

export const instance = guards.guarded(axios, urivet.policy('public'));
export const both: { http: agent.HttpAgent } = agent.agents('public');
