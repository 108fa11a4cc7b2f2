# SPDX-License-Identifier: Apache-2.0
# LWP::UserAgent.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use LWP::UserAgent;

my $agent = LWP::UserAgent->new(timeout => TIMEOUT(), max_redirect => 0, env_proxy => 0, keep_alive => 1);
serve("LWP $LWP::UserAgent::VERSION", sub {
	my $response = $agent->get($_[0]);
	die $response->status_line if ($response->header('Client-Warning') // '') eq 'Internal response';
	return $response->code;
});
