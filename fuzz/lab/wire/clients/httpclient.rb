# SPDX-License-Identifier: Apache-2.0
# httpclient.
require 'httpclient'
require_relative 'adapter'

client = HTTPClient.new
client.connect_timeout = client.send_timeout = client.receive_timeout = PATIENCE

serve("httpclient #{HTTPClient::VERSION}") { |url| client.get(url).status }
