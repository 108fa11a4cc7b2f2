-- SPDX-License-Identifier: Apache-2.0
-- What the Lua clients share: URLs in, a line each out.
local adapter = { TIMEOUT = 3 } -- seconds, for the client's own timeouts

-- The next URL, octet by octet: so it is there as soon as it is whole.
local function next_url()
	local octets = {}
	for octet in function() return io.read(1) end do
		if octet == "\0" then
			return table.concat(octets)
		end
		octets[#octets + 1] = octet
	end
end

-- fetch gets a URL once and returns the status, or nil and an error to report.
function adapter.serve(version, fetch)
	if #arg == 1 and arg[1] == "--version" then
		print(version)
		return
	end
	for url in next_url do
		local ok, status, trouble = pcall(fetch, url)
		local message = tostring(ok and trouble or status):gsub("[^ -~]+", " "):sub(1, 300)
		io.write(ok and status and tostring(status) or "! " .. message, "\n")
		io.flush()
	end
end

return adapter
