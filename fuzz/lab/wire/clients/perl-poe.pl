# SPDX-License-Identifier: Apache-2.0
# POE::Component::Client::HTTP.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/adapter.pl";
use HTTP::Request;
use POE qw(Component::Client::HTTP);

POE::Kernel->run;	# else it complains that nobody does
my $response;
POE::Component::Client::HTTP->spawn(Alias => 'agent', Timeout => TIMEOUT(), FollowRedirects => 0);
POE::Session->create(inline_states => {
	_start => sub { $_[KERNEL]->alias_set('asker') },
	ask => sub { $_[KERNEL]->post(agent => request => 'answer', $_[ARG0]) },
	answer => sub { $response = $_[ARG1][0] },
});
serve("POE::Component::Client::HTTP $POE::Component::Client::HTTP::VERSION", sub {
	undef $response;
	POE::Kernel->post(asker => ask => HTTP::Request->new(GET => $_[0]));
	POE::Kernel->run_one_timeslice until $response;
	die $response->message unless $response->protocol;	# made up by the component itself
	return $response->code;
});
