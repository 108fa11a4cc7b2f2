# SPDX-License-Identifier: Apache-2.0
# Furl.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use Furl;

my $agent = Furl->new(timeout => TIMEOUT(), max_redirects => 0);
serve("Furl $Furl::VERSION", sub {
	my $response = $agent->get($_[0]);
	die $response->content if $response->headers->header('X-Internal-Response');
	return $response->code;
});
