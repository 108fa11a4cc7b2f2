<?php
// SPDX-License-Identifier: Apache-2.0
// PHP's idn_to_ascii (ICU): with its default flags, with those that programs give, shown and read again.
$configurations = [
	'default' => fn($host) => idn_to_ascii($host),
	'nontransitional' => fn($host) => idn_to_ascii($host, IDNA_NONTRANSITIONAL_TO_ASCII | IDNA_CHECK_BIDI
		| IDNA_CHECK_CONTEXTJ | IDNA_USE_STD3_RULES, INTL_IDNA_VARIANT_UTS46),
	'shown' => fn($host) => ($middle = idn_to_utf8($host)) === false ? false : idn_to_ascii($middle),
];

function told(callable $translate, string $host): string
{
	try {
		$made = $translate($host);
	} catch (Throwable) {
		$made = false;
	}
	return $made === false ? '!' : preg_replace_callback('/[^\x22-\x5b\x5d-\x7e]/',
		fn($found) => sprintf('\x%02X', ord($found[0])), $made);
}

if ($argv[$argc - 1] === '--version') {
	echo 'PHP ', PHP_VERSION, ', ICU ', INTL_ICU_VERSION, "\n";
	exit;
}
$hosts = explode("\0", stream_get_contents(STDIN));
array_pop($hosts);
foreach ($hosts as $host)
	echo told($configurations[$argv[1]], $host), "\n";
