<?php
// SPDX-License-Identifier: Apache-2.0
// PHP's parse_url().
const DEFAULT_PORTS = ['http' => 80, 'ws' => 80, 'https' => 443, 'wss' => 443, 'ftp' => 21];

function escaped(?string $text): string
{
	if ($text === null)
		return '\N';
	return preg_replace_callback('/[^\x21-\x5b\x5d-\x7e]/', fn($m) => sprintf('\x%02X', ord($m[0])), $text);
}

function reading(string $record): string
{
	$url = parse_url($record);
	if ($url === false)
		return "reject\t-" . str_repeat("\t\\N", 8);
	$userinfo = isset($url['user']) || isset($url['pass'])
		? ($url['user'] ?? '') . (isset($url['pass']) ? ':' . $url['pass'] : '') : null;
	$host = isset($url['host']) ? preg_replace('/^\[(.*)\]$/s', '$1', $url['host']) : null;
	$port = $url['port'] ?? null;
	$effective = $port ?? DEFAULT_PORTS[strtolower($url['scheme'] ?? '')] ?? '\N';
	$columns = [$url['scheme'] ?? null, $userinfo, $host, $port === null ? null : (string) $port, $url['path'] ?? '',
		$url['query'] ?? null, $url['fragment'] ?? null];
	return "accept\t-\t" . implode("\t", array_map('escaped', $columns)) . "\t" . $effective;
}

if (($argv[1] ?? '') === '--version') {
	echo 'PHP ', PHP_VERSION, "\n";
	exit;
}
$records = explode("\0", stream_get_contents(STDIN));
if (end($records) === '')
	array_pop($records);
foreach ($records as $record)
	echo reading($record), "\n";
