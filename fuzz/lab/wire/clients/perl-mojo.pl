# SPDX-License-Identifier: Apache-2.0
# Mojo::UserAgent.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use Mojo::UserAgent;
use Mojolicious;

my $agent = Mojo::UserAgent->new(max_redirects => 0, connect_timeout => TIMEOUT(),
	inactivity_timeout => TIMEOUT(), request_timeout => $main::TIMEOUT);
serve("Mojolicious $Mojolicious::VERSION", sub { return $agent->get($_[0])->result->code });
