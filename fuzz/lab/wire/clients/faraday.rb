# SPDX-License-Identifier: Apache-2.0
# Faraday, over Net::HTTP.
require 'faraday'
require_relative 'adapter'

serve("Faraday #{Faraday::VERSION}") do |url|
  Faraday.get(url) { |request| request.options.timeout = PATIENCE }.status
end
