# SPDX-License-Identifier: Apache-2.0
# Ruby's open-uri.
require 'open-uri'
require_relative 'adapter'

serve("Ruby #{RUBY_VERSION}, open-uri") do |url|
  URI.open(url, redirect: false, proxy: nil, open_timeout: PATIENCE, read_timeout: PATIENCE) { |body| body.status[0] }
rescue OpenURI::HTTPError => e
  e.io.status[0]
end
