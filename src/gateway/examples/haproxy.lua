-- SPDX-License-Identifier: Apache-2.0
-- Asks `urivet serve --from=haproxy` about a request. txn.urivet is "accept" for one that may go on, and
-- something else, or nothing, for any other; txn.urivet_findings says why, for a log-format.
local helper = "unix@/run/urivet/serve.sock"
local patience = 1000 -- milliseconds; HAProxy tries four times

core.register_action("urivet", { "http-req" }, function(txn)
	local hosts = txn.http:req_get_headers()["host"]
	txn:set_var("txn.urivet", "unanswered")
	if hosts == nil or hosts[0] == nil or hosts[1] ~= nil then
		return -- no Host field, or several
	end
	local answer = core.httpclient():get({
		url = "http://urivet/",
		dst = helper,
		timeout = patience / 4,
		headers = {
			["X-Original-Method"] = { txn.sf:method() },
			["X-Original-Scheme"] = { txn.f:ssl_fc() == 1 and "https" or "http" },
			["X-Original-Host"] = { hosts[0] },
			["X-Original-URI"] = { txn.sf:url() },
			-- for the log of the helper
			["X-Original-Client"] = { txn.sf:src() },
			["X-Original-Request-ID"] = { txn.sf:unique_id() },
		},
	})
	if answer and answer.status == 200 then
		txn:set_var("txn.urivet", "accept")
	end
	-- for the log of HAProxy, if the helper has --tell-findings
	local findings = answer and answer.headers and answer.headers["x-urivet-findings"]
	if findings then
		txn:set_var("txn.urivet_findings", findings[0])
	end
end)
