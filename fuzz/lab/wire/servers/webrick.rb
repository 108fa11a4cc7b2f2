# SPDX-License-Identifier: Apache-2.0
# WEBrick serving files.
require 'webrick'

if ARGV == ['--version']
  puts "webrick #{WEBrick::VERSION}, ruby #{RUBY_VERSION}"
  exit
end

quiet = WEBrick::Log.new($stderr, WEBrick::Log::FATAL)
WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: ENV['PORT'].to_i, DocumentRoot: ENV['ROOT'], Logger: quiet,
                        AccessLog: []).start
