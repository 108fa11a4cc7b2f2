# SPDX-License-Identifier: Apache-2.0
# Ruby's Net::HTTP, given the URL as URI reads it.
require 'net/http'
require_relative 'adapter'

OPTIONS = { open_timeout: PATIENCE, read_timeout: PATIENCE, max_retries: 0 }.freeze

serve("Ruby #{RUBY_VERSION}, net-http #{Net::HTTP::VERSION}") do |url|
  uri = URI(url)
  # as Net::HTTP.get_response() does it, which cannot be told not to try again; nil is for no proxy
  Net::HTTP.start(uri.hostname, uri.port, nil, OPTIONS) { |http| http.request_get(uri).code }
end
