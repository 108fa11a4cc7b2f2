-- SPDX-License-Identifier: Apache-2.0
-- LuaSocket's socket.http.
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. package.path
local adapter = require("adapter")
local http = require("socket.http")
local socket = require("socket")

http.TIMEOUT = adapter.TIMEOUT
adapter.serve(socket._VERSION, function(url)
	local ok, status = http.request({ url = url, redirect = false })
	return ok and status, status
end)
