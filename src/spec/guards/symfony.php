<?php
// SPDX-License-Identifier: Apache-2.0
// Symfony's NoPrivateNetworkHttpClient around a client that does not connect.
use Symfony\Component\HttpClient\HttpClientTrait;
use Symfony\Component\HttpClient\MockHttpClient;
use Symfony\Component\HttpClient\NoPrivateNetworkHttpClient;
use Symfony\Component\HttpClient\Response\MockResponse;

require __DIR__ . '/stubs.php';
require 'Symfony/Component/HttpClient/autoload.php';
require 'Symfony/Component/HttpFoundation/autoload.php';

class Location
{
	use HttpClientTrait;

	public static function resolved(string $location, string $url): string // as the clients of Symfony do
	{
		return implode('', self::resolveUrl(self::parseUrl($location), self::parseUrl($url)));
	}
}

answer(function (string $first, callable $connect): string {
	$inner = new MockHttpClient(function (string $method, string $url, array $options) use ($connect) {
		$host = parse_url($url, PHP_URL_HOST);
		$location = $connect($options['resolve'][$host] ?? $host);
		return new MockResponse('', $location === '' ? [] : ['http_code' => 302, 'redirect_url' => Location::resolved($location, $url)]);
	});
	return (new NoPrivateNetworkHttpClient($inner))->request('GET', $first)->getStatusCode();
});
