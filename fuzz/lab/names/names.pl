# SPDX-License-Identifier: Apache-2.0
# Perl's Net::IDN::Encode (IDNA 2003), Net::IDN::UTS46, and Net::LibIDN is libidn.
use strict;
use warnings;
use Encode ();

my %configuration = (
	encode => sub { require Net::IDN::Encode; Net::IDN::Encode::domain_to_ascii($_[0]) },
	uts46 => sub { require Net::IDN::UTS46; Net::IDN::UTS46::uts46_to_ascii($_[0]) },
	shown => sub { require Net::IDN::Encode;
		Net::IDN::Encode::domain_to_ascii(Net::IDN::Encode::domain_to_unicode($_[0])) },
	uri => sub { require URI; URI->new("https://$_[0]/")->host },
	'uri-shown' => sub { require URI; URI->new('https://' . URI->new("https://$_[0]/")->ihost . '/')->host },
);

sub escaped {
	my ($text) = @_;
	utf8::encode($text) if utf8::is_utf8($text);
	$text =~ s/([^\x22-\x5b\x5d-\x7e])/sprintf '\x%02X', ord $1/ge;
	return $text;
}

sub version {
	my ($module) = @_;
	eval "require $module; 1" or die $@;
	return "$module " . $module->VERSION . ", Perl $^V";
}

if ($ARGV[-1] eq '--version') {
	print version($ARGV[0] =~ /^uri/ ? 'URI' : 'Net::IDN::Encode'), "\n";
	exit;
}
binmode STDIN;
$/ = "\0";
my $translate = $configuration{$ARGV[0]};
while (my $host = <STDIN>) {
	chomp $host;
	my $made = eval { local $SIG{__WARN__} = sub { }; $translate->(Encode::decode('UTF-8', $host)) };
	print defined $made ? escaped($made) : '!', "\n";
}
