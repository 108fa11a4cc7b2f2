# SPDX-License-Identifier: Apache-2.0
# Net::Async::HTTP.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use IO::Async::Loop;
use Net::Async::HTTP;

my $loop = IO::Async::Loop->new;
my $agent = Net::Async::HTTP->new(timeout => TIMEOUT(), max_redirects => 0);
$loop->add($agent);
serve("Net::Async::HTTP $Net::Async::HTTP::VERSION", sub { return $agent->GET($_[0])->get->code });
