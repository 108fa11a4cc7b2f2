# SPDX-License-Identifier: Apache-2.0
# WWW::Mechanize, a browser for programs.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use WWW::Mechanize;

my $agent = WWW::Mechanize->new(timeout => TIMEOUT(), max_redirect => 0, env_proxy => 0, noproxy => 1, autocheck => 0);
serve("WWW::Mechanize $WWW::Mechanize::VERSION", sub {
	my $response = $agent->get($_[0]);
	die $response->status_line if ($response->header('Client-Warning') // '') eq 'Internal response';
	return $response->code;
});
