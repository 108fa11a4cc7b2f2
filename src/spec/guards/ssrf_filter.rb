# SPDX-License-Identifier: Apache-2.0
# Ruby's ssrf_filter with name servers and connections that are stubs. Input and output are those of stubs.php.
require 'json'
require 'ssrf_filter'

KNOWN = JSON.parse(ARGV[0])
stub = Object.new # what looks a name up; literal addresses do not come here
def stub.each_address(name, &block)
  KNOWN.fetch(name.downcase.chomp('.'), []).each(&block)
end
Resolv::DefaultResolver.replace_resolvers([stub])
$stdin.each_line(chomp: true) do |line|
  url, location = line.force_encoding('UTF-8').split("\t")
  connected = []
  Net::HTTP.define_singleton_method(:start) do |host, *|
    connected << host
    next Net::HTTPOK.new('1.1', '200', 'OK') if location.nil? || connected.size > 1

    Net::HTTPFound.new('1.1', '302', 'Found').tap { |found| found['location'] = location }
  end
  why = nil
  begin
    SsrfFilter.get(url)
  rescue StandardError => e
    why = e.message
  end
  puts connected.size == (location.nil? ? 1 : 2) ? "A\t#{connected.last}" : "-\t#{why.to_s.lines.first}"
end
