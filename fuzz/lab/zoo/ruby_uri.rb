# SPDX-License-Identifier: Apache-2.0
# Ruby's URI, which Net::HTTP uses.
require 'uri'

DEFAULT_PORTS = { 'http' => 80, 'ws' => 80, 'https' => 443, 'wss' => 443, 'ftp' => 21 }.freeze
REFUSED = ['reject', '-', *['\N'] * 8].join("\t")

def escaped(text)
  return '\N' if text.nil?

  text.to_s.b.gsub(/[^\x21-\x5b\x5d-\x7e]/n) { |octet| format('\x%02X', octet.ord) }
end

def line(record)
  url = URI.parse(record)
  # port answers the default one too
  port = url.port
  effective = port || DEFAULT_PORTS[url.scheme.to_s.downcase]
  columns = [url.scheme, url.userinfo, url.hostname, port, url.path || url.opaque, url.query, url.fragment]
  effective = nil if effective && effective > 65_535
  ['accept', '-', *columns.map { |text| escaped(text) }, escaped(effective)].join("\t")
rescue StandardError
  REFUSED
end

if ARGV[0] == '--version'
  puts "Ruby #{RUBY_VERSION}, uri #{URI::VERSION}"
  exit
end
$stdin.binmode
$stdin.each_line("\0", chomp: true) { |record| puts line(record.force_encoding('UTF-8')) }
