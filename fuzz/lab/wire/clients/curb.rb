# SPDX-License-Identifier: Apache-2.0
# Curb, over libcurl.
require 'curb'
require_relative 'adapter'

serve("Curb #{Curl::CURB_VERSION}, libcurl #{Curl::CURL_VERSION}") do |url|
  easy = Curl::Easy.new(url)
  easy.timeout = PATIENCE
  easy.follow_location = false
  easy.perform
  easy.response_code
end
