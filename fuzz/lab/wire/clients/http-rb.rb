# SPDX-License-Identifier: Apache-2.0
# http.rb.
require 'http'
require_relative 'adapter'

serve("http.rb #{HTTP::VERSION}") { |url| HTTP.timeout(PATIENCE).get(url).flush.code }
