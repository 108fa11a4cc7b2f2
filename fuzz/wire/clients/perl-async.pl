# SPDX-License-Identifier: Apache-2.0
# HTTP::Async.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use HTTP::Async;
use HTTP::Request;

serve("HTTP::Async $HTTP::Async::VERSION", sub {
	my $agent = HTTP::Async->new(timeout => TIMEOUT(), max_request_time => $main::TIMEOUT, max_redirect => 0);
	$agent->add(HTTP::Request->new(GET => $_[0]));
	my $response = $agent->wait_for_next_response(TIMEOUT()) // die 'no response';
	return $response->code;
});
