<?php
// SPDX-License-Identifier: Apache-2.0
// What the PHP clients share: URLs in, a line each out.
const TIMEOUT = 3;		// seconds, for the client's own timeouts

// URLs as soon as they are there.
function urls(): Generator
{
	$held = '';
	while (($chunk = fread(STDIN, 65536)) !== '' && $chunk !== false) {
		$whole = explode("\0", $held . $chunk);
		$held = array_pop($whole);
		yield from $whole;
	}
}

// $fetch gets a URL once and returns the status; what it throws is an error to report.
function serve(string $version, callable $fetch): void
{
	if (array_slice($_SERVER['argv'], 1) === ['--version']) {
		echo "$version\n";
		return;
	}
	set_error_handler(fn(int $level, string $text) => throw new ErrorException($text));
	foreach (urls() as $url) {
		try {
			$answer = (string) $fetch($url);
		} catch (Throwable $error) {
			$answer = '! ' . substr(preg_replace('/[^\x20-\x7e]+/', ' ', $error->getMessage()), 0, 300);
		}
		fwrite(STDOUT, "$answer\n");
	}
}
