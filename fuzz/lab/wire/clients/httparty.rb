# SPDX-License-Identifier: Apache-2.0
# HTTParty.
require 'httparty'
require_relative 'adapter'

serve("HTTParty #{HTTParty::VERSION}") do |url|
  HTTParty.get(url, follow_redirects: false, timeout: PATIENCE, max_retries: 0).code
end
