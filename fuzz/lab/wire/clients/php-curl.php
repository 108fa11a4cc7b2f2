<?php
// SPDX-License-Identifier: Apache-2.0
// PHP's curl, over libcurl.
require __DIR__ . '/adapter.php';

$handle = curl_init();
serve('PHP ' . PHP_VERSION . ', libcurl ' . curl_version()['version'], function (string $url) use ($handle): int {
	curl_reset($handle);
	curl_setopt_array($handle, [CURLOPT_URL => $url, CURLOPT_TIMEOUT => TIMEOUT, CURLOPT_NOPROXY => '*',
		CURLOPT_RETURNTRANSFER => true]);
	if (curl_exec($handle) === false)
		throw new RuntimeException(curl_error($handle));
	return curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
});
