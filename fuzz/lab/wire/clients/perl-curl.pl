# SPDX-License-Identifier: Apache-2.0
# WWW::Curl, over libcurl.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use WWW::Curl::Easy;

my $agent = WWW::Curl::Easy->new;
serve("WWW::Curl $WWW::Curl::VERSION", sub {
	my $body = '';
	$agent->setopt(CURLOPT_URL, $_[0]);
	$agent->setopt(CURLOPT_TIMEOUT, TIMEOUT());
	$agent->setopt(CURLOPT_NOPROXY, '*');
	$agent->setopt(CURLOPT_WRITEDATA, \$body);
	my $trouble = $agent->perform;
	die $agent->strerror($trouble) if $trouble;
	return $agent->getinfo(CURLINFO_HTTP_CODE);
});
