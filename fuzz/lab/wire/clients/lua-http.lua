-- SPDX-License-Identifier: Apache-2.0
-- lua-http.
-- what it needs of Lua is packaged for 5.1 and runs by 5.3 too
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. package.path .. ";/usr/share/lua/5.1/?.lua"
local adapter = require("adapter")
local request = require("http.request")
local version = require("http.version")

adapter.serve("lua-http " .. version.version, function(url)
	local asked = request.new_from_uri(url)
	asked.follow_redirects = false
	asked.proxies = false
	local headers, trouble = asked:go(adapter.TIMEOUT)
	return headers and headers:get(":status"), trouble
end)
