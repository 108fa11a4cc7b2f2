-- SPDX-License-Identifier: Apache-2.0
-- For wrk: requests in turn from a file, each one whole; writes one line of JSON at the end.
local requests, turn = {}, 0

function init()
	for request in io.open(os.getenv("LOAD_REQUESTS"), "rb"):read("*a"):gmatch("([^%z]+)%z") do
		requests[#requests + 1] = request
	end
end

function request()
	turn = turn % #requests + 1
	return requests[turn]
end

function done(summary, latency)
	io.write(string.format('{"requests":%d,"micros":%d,"p50":%d,"p99":%d,"refused":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}\n',
		summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), summary.errors.status,
		summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.timeout))
end
