# SPDX-License-Identifier: Apache-2.0
# HTTP::Tiny, which comes with Perl.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use HTTP::Tiny;

my $agent = HTTP::Tiny->new(timeout => TIMEOUT(), max_redirect => 0, proxy => undef, http_proxy => undef);
serve("HTTP::Tiny $HTTP::Tiny::VERSION", sub {
	my $response = $agent->get($_[0]);
	die $response->{content} if $response->{status} == 599;
	return $response->{status};
});
