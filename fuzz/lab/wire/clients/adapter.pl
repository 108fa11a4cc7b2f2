# SPDX-License-Identifier: Apache-2.0
# What the Perl clients share: URLs in, a line each out.
use strict;
use warnings;
use IO::Handle;

sub TIMEOUT { 3 }	# seconds, for the client's own timeouts
my $PATIENCE = 4;	# after which the adapter ends a fetch that has none, or does not keep it

# serve(VERSION, SUB): the sub gets a URL once and returns the status; what it dies of is an error to report.
sub serve {
	my ($version, $fetch) = @_;
	if (@ARGV == 1 && $ARGV[0] eq '--version') {
		print "$version\n";
		exit;
	}
	open my $answers, '>&', \*STDOUT or die;
	open STDOUT, '>&', \*STDERR;	# what a library prints is no answer
	$answers->autoflush(1);
	local $SIG{PIPE} = 'IGNORE';
	local $SIG{__WARN__} = sub { };
	local $/ = "\0";
	while (my $url = <STDIN>) {
		chomp $url;
		my $status = eval {
			local $SIG{ALRM} = sub { die "the adapter's time is up\n" };
			alarm $PATIENCE;
			do { local $/ = "\n"; $fetch->($url) };
		};
		my $error = $@;
		alarm 0;
		$error =~ s{ at \S+ line \d.*}{}s;
		$error =~ s/[^\x20-\x7e]+/ /g;
		print $answers defined $status && $status =~ /\A[1-9][0-9]{2}\z/ ? $status : '! ' . substr($error, 0, 300), "\n";
	}
}

1;
