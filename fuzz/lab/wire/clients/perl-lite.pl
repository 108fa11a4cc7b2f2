# SPDX-License-Identifier: Apache-2.0
# HTTP::Lite.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use HTTP::Lite;

serve("HTTP::Lite $HTTP::Lite::VERSION", sub {
	my $agent = HTTP::Lite->new;
	$agent->{timeout} = TIMEOUT();
	return $agent->request($_[0]) // die "no response: $!";
});
