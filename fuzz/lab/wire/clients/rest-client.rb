# SPDX-License-Identifier: Apache-2.0
# rest-client.
require 'rest-client'
require_relative 'adapter'

serve("rest-client #{RestClient::VERSION}") do |url|
  RestClient::Request.execute(method: :get, url: url, timeout: PATIENCE, max_redirects: 0, proxy: nil).code
rescue RestClient::ExceptionWithResponse => e
  raise unless e.http_code

  e.http_code
end
