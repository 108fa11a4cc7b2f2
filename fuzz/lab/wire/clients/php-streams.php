<?php
// SPDX-License-Identifier: Apache-2.0
// PHP's streams: file_get_contents().
require __DIR__ . '/adapter.php';

$settings = ['timeout' => TIMEOUT, 'follow_location' => 0, 'ignore_errors' => true];
$context = stream_context_create(['http' => $settings]);
serve('PHP ' . PHP_VERSION, function (string $url) use ($context): int {
	file_get_contents($url, false, $context);
	return (int) explode(' ', $http_response_header[0] ?? '! 0')[1];
});
