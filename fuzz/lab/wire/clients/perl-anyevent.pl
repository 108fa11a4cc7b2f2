# SPDX-License-Identifier: Apache-2.0
# AnyEvent::HTTP.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use AnyEvent;
use AnyEvent::HTTP;

AnyEvent::HTTP::set_proxy(undef);
serve("AnyEvent::HTTP $AnyEvent::HTTP::VERSION", sub {
	my $done = AnyEvent->condvar;
	my $guard = http_get($_[0], timeout => TIMEOUT(), recurse => 0, proxy => undef, sub { $done->send($_[1]) });
	my $headers = $done->recv;
	die $headers->{Reason} if $headers->{Status} >= 590;
	return $headers->{Status};
});
