# SPDX-License-Identifier: Apache-2.0
# Judges URLs by Fiddle, without knowing a struct of the library: verdict, reasons, and where to connect.
require "fiddle"

LIB = Fiddle.dlopen(ARGV[0])
P, Z, I = Fiddle::TYPE_VOIDP, Fiddle::TYPE_SIZE_T, Fiddle::TYPE_INT
def function(name, takes, gives) = Fiddle::Function.new(LIB["urivet_#{name}"], takes, gives)
SIZE_OF = function("size_of", [I, Z], Z)
INIT = function("policy_init", [P, Z, I], I)
CHECK = function("check_sized", [P, Z, P, Z, P], I)
IDS = function("format_ids", [P, Z, P, P], Z)
PART = function("component_at", [P, I, P, Z, P], P)
ENDPOINT = function("endpoint_sized", [P, Z, P, Z, P, P, Z], Z)
sizes = [0, 2, 4].map { |what| SIZE_OF.call(what, 0) }
policy, report, endpoint = sizes.map { |size| Fiddle::Pointer.malloc(size, Fiddle::RUBY_FREE) }
INIT.call(policy, sizes[0], 1)
ARGV[1..].each do |url|
  room, names, octets = "\0" * SIZE_OF.call(11, url.bytesize), "\0" * 1024, "\0" * Fiddle::SIZEOF_SIZE_T
  if CHECK.call(report, sizes[1], url, url.bytesize, policy) != 1
    puts "reject #{names[0, IDS.call(names, names.bytesize, report, policy)]}"
    next
  end
  host = PART.call(report, 4, url, url.bytesize, octets)
  needed = ENDPOINT.call(endpoint, sizes[2], room, room.bytesize, report, url, url.bytesize)
  puts "accept #{host[0, octets.unpack1("J")]} #{needed > 0 ? "True" : "False"}"
end
