<?php
// SPDX-License-Identifier: Apache-2.0
// For guards in PHP: guards.mjs disables what looks names up or connects, and these functions take the place of the first. A line
// of standard input is a URL, and after a tab where its server redirects to. Each is answered by A, a tab
// and the host that is connected to, or by -, a tab and why.
function addresses(string $name, string $without): array
{
	static $known;
	$known ??= json_decode($GLOBALS['argv'][1], true);
	return array_values(array_filter($known[rtrim(strtolower($name), '.')] ?? [], fn ($address) => !str_contains($address, $without)));
}

function gethostbynamel(string $name)
{
	return addresses($name, ':') ?: false;
}

function gethostbyname(string $name)
{
	return addresses($name, ':')[0] ?? $name;
}

function dns_get_record(string $name)
{
	return array_map(fn ($address) => ['ipv6' => $address], addresses($name, '.'));
}

function answer(callable $fetch): void
{
	foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
		[$url, $location] = explode("\t", "$line\t");
		$connected = [];
		try {
			// connect() keeps the host of a request that the guard lets through, and returns where the server redirects to
			$why = $fetch($url, function (string $host) use (&$connected, $location) {
				$connected[] = $host;
				return count($connected) === 1 ? $location : '';
			});
		} catch (Exception $error) {
			$why = $error->getMessage();
		}
		echo count($connected) === ($location === '' ? 1 : 2) ? "A\t" . end($connected) : "-\t" . strtok("$why\n", "\n"), "\n";
	}
}
