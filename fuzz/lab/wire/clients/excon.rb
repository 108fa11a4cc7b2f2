# SPDX-License-Identifier: Apache-2.0
# Excon.
require 'excon'
require_relative 'adapter'

serve("Excon #{Excon::VERSION}") do |url|
  Excon.get(url, connect_timeout: PATIENCE, read_timeout: PATIENCE).status
end
