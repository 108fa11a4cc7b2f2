# SPDX-License-Identifier: Apache-2.0
# Typhoeus, over libcurl.
require 'typhoeus'
require_relative 'adapter'

serve("Typhoeus #{Typhoeus::VERSION}, #{Ethon::Curl.version.split.first}") do |url|
  response = Typhoeus.get(url, timeout: PATIENCE, followlocation: false)
  raise response.return_message unless response.return_code == :ok

  response.code
end
