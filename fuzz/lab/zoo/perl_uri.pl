# SPDX-License-Identifier: Apache-2.0
# Perl's URI, which LWP uses.
use strict;
use warnings;
use URI;

my %default_port = (http => 80, ws => 80, https => 443, wss => 443, ftp => 21);

sub escaped {
	my ($text) = @_;
	return '\N' unless defined $text;
	utf8::encode($text) if utf8::is_utf8($text);
	$text =~ s/([^\x21-\x5b\x5d-\x7e])/sprintf '\x%02X', ord $1/ge;
	return $text;
}

sub effective_port {
	my ($scheme, $port) = @_;
	return $default_port{lc($scheme // '')} // '\N' unless defined $port && $port ne '';
	return $port =~ /\A[0-9]{1,20}\z/ && $port <= 65535 ? $port + 0 : '\N';
}

sub reading {
	my $url = URI->new($_[0]);
	my $scheme = $url->scheme;
	my $server = $url->can('host');
	my ($userinfo, $host, $port) = (undef, undef, undef);
	if ($server) {
		($userinfo, $host) = ($url->userinfo, $url->host);
		# port() answers the default one too
		$port = $1 if ($url->authority // '') =~ /:([^:\]]*)\z/;
		$host =~ s/\A\[(.*)\]\z/$1/s if defined $host;
	}
	my $path = $url->can('path') ? $url->path : $url->opaque;
	my $query = $url->can('query') ? $url->query : undef;
	my $effective = $server && $url->can('default_port') && defined $url->default_port ? $url->port : $port;
	return join "\t", 'accept', '-', (map { escaped($_) } $scheme, $userinfo, $host, $port, $path, $query, $url->fragment),
	    effective_port($scheme, $effective);
}

if (@ARGV && $ARGV[0] eq '--version') {
	print "Perl URI $URI::VERSION\n";
	exit;
}
binmode STDIN;
$/ = "\0";
while (my $record = <STDIN>) {
	chomp $record;
	my $line = eval { local $SIG{__WARN__} = sub { }; reading($record) };
	print $line // join("\t", 'reject', '-', ('\N') x 8), "\n";
}
