# SPDX-License-Identifier: Apache-2.0
# Ruby's Addressable (its pure IDNA, and a URL normalised) and simpleidn.

CONFIGURATIONS = {
  'addressable' => ->(host) { Addressable::IDNA.to_ascii(host) },
  'addressable-url' => ->(host) { Addressable::URI.parse("https://#{host}/").normalize.host },
  'addressable-shown' => ->(host) { Addressable::IDNA.to_ascii(Addressable::IDNA.to_unicode(host)) },
  'simpleidn' => ->(host) { SimpleIDN.to_ascii(host) }
}.freeze

if ARGV[0] == 'simpleidn'
  require 'simpleidn'
  VERSION = "simpleidn #{Gem.loaded_specs['simpleidn']&.version}".freeze
else
  require 'addressable/uri'
  require 'addressable/idna/pure'
  require 'addressable/version'
  VERSION = "Addressable #{Addressable::VERSION::STRING}".freeze
end

def told(translate, host)
  translate.call(host).to_s.b.gsub(/[^\x22-\x5b\x5d-\x7e]/n) { |octet| format('\x%02X', octet.ord) }
rescue StandardError
  '!'
end

if ARGV[-1] == '--version'
  puts VERSION
  exit
end
$stdin.binmode
translate = CONFIGURATIONS.fetch(ARGV[0])
$stdin.each_line("\0", chomp: true) { |host| puts told(translate, host.force_encoding('UTF-8')) }
