<?php
// SPDX-License-Identifier: Apache-2.0
// Symfony's HttpClient on PHP's streams.
require __DIR__ . '/adapter.php';
require 'Symfony/Component/HttpClient/autoload.php';

$client = new Symfony\Component\HttpClient\NativeHttpClient(['timeout' => TIMEOUT, 'max_duration' => TIMEOUT,
	'max_redirects' => 0, 'no_proxy' => '*']);
serve('Symfony HttpClient, PHP ' . PHP_VERSION, fn(string $url): int => $client->request('GET', $url)->getStatusCode());
