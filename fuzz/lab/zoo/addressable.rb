# SPDX-License-Identifier: Apache-2.0
# Ruby's Addressable.
require 'addressable/uri'
require 'addressable/version'

DEFAULT_PORTS = { 'http' => 80, 'ws' => 80, 'https' => 443, 'wss' => 443, 'ftp' => 21 }.freeze
REFUSED = ['reject', '-', *['\N'] * 8].join("\t")

def escaped(text)
  return '\N' if text.nil?

  text.to_s.b.gsub(/[^\x21-\x5b\x5d-\x7e]/n) { |octet| format('\x%02X', octet.ord) }
end

def line(record)
  url = Addressable::URI.parse(record)
  host = url.host&.sub(/\A\[(.*)\]\z/m, '\1')
  effective = url.port || DEFAULT_PORTS[url.scheme.to_s.downcase]
  effective = nil if effective && effective > 65_535
  columns = [url.scheme, url.userinfo, host, url.port, url.path, url.query, url.fragment]
  ['accept', '-', *columns.map { |text| escaped(text) }, escaped(effective)].join("\t")
rescue StandardError
  REFUSED
end

if ARGV[0] == '--version'
  puts "Addressable #{Addressable::VERSION::STRING}"
  exit
end
$stdin.binmode
$stdin.each_line("\0", chomp: true) { |record| puts line(record.force_encoding('UTF-8')) }
