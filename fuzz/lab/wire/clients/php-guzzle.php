<?php
// SPDX-License-Identifier: Apache-2.0
// Guzzle, over libcurl.
require __DIR__ . '/adapter.php';
require 'GuzzleHttp/autoload.php';

$client = new GuzzleHttp\Client(['timeout' => TIMEOUT, 'allow_redirects' => false, 'http_errors' => false,
	'proxy' => '']);
serve('Guzzle ' . GuzzleHttp\Client::MAJOR_VERSION,
	fn(string $url): int => $client->request('GET', $url)->getStatusCode());
