# SPDX-License-Identifier: Apache-2.0
# What the Ruby clients share: URLs in, each ended by NUL; a line with the status or the error out.
require 'timeout'

PATIENCE = 3 # seconds; what a client is told where it can be told
LIMIT = 3.5 # seconds; whatever it was told, the line is written by then

def described(error)
  message = error.message.to_s.b.gsub(/[^ -~]+/n, ' ').strip[0, 200]
  message.empty? || message == error.class.name ? "! #{error.class}" : "! #{error.class}: #{message}"
end

# Gives each URL to the block, which answers with the status or raises.
def serve(version)
  if ARGV == ['--version']
    puts version
    return
  end
  $stdin.binmode
  $stdout.sync = true
  $stdin.each_line("\0", chomp: true) do |url|
    answer = begin
      status = Timeout.timeout(LIMIT) { yield(url.force_encoding('UTF-8')) }
      status.to_i >= 100 ? status.to_s : '! no status'
    rescue StandardError, ScriptError, NoMemoryError, SystemStackError => e
      described(e)
    end
    $stdout.write(answer, "\n")
  end
end
