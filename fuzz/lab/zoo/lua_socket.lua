-- SPDX-License-Identifier: Apache-2.0
-- LuaSocket's url.parse().
local socket = require("socket")
local url = require("socket.url")

local default_port = { http = 80, ws = 80, https = 443, wss = 443, ftp = 21 }

local function hex(octet)
	return string.format("\\x%02X", octet:byte())
end

local function escaped(text)
	if text == nil then
		return "\\N"
	end
	return (text:gsub("\\", hex):gsub("[^!-~]", hex))
end

local function effective_port(scheme, port)
	if port == nil or port == "" then
		return default_port[(scheme or ""):lower()] or "\\N"
	end
	local number = port:match("^%d+$") and #port < 16 and tonumber(port)
	return number and number <= 65535 and string.format("%d", number) or "\\N"
end

local function line(record)
	local parts = url.parse(record)
	if parts == nil then
		return nil
	end
	local path = parts.path or ""
	if parts.params then
		path = path .. ";" .. parts.params
	end
	local host = parts.host and parts.host:gsub("^%[(.*)%]$", "%1")
	return table.concat({ "accept", "-", escaped(parts.scheme), escaped(parts.userinfo), escaped(host),
		escaped(parts.port), escaped(path), escaped(parts.query), escaped(parts.fragment),
		effective_port(parts.scheme, parts.port) }, "\t")
end

if arg[1] == "--version" then
	print(socket._VERSION)
	os.exit()
end
local data = io.read("a")
for record in data:gmatch("([^\0]*)\0") do
	local ok, answer = pcall(line, record)
	io.write(ok and answer or "reject\t-" .. ("\t\\N"):rep(8), "\n")
end
