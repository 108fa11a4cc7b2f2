<?php
// SPDX-License-Identifier: Apache-2.0
// WordPress's wp_safe_remote_get, which calls wp_http_validate_url, without a site, and with a transport that does not connect.
require __DIR__ . '/stubs.php';
define('ABSPATH', '/usr/share/wordpress/');
define('WPINC', 'wp-includes');
foreach (['load', 'plugin', 'functions', 'formatting', 'kses', 'http', 'class-wp-error', 'class-wp-http', 'class-wp-http-proxy', 'class-wp-http-response',
	'class-wp-http-requests-hooks', 'class-wp-http-requests-response'] as $file)
	require ABSPATH . WPINC . "/$file.php";
Requests::register_autoloader();
add_filter('pre_option_home', fn () => 'http://wordpress.example.com');

function get_bloginfo(): string
{
	return 'http://wordpress.example.com';
}

function __(string $text): string
{
	return $text;
}

class Unconnected
{
	public static $connect;

	public function request(string $url): string
	{
		$location = (self::$connect)(parse_url($url, PHP_URL_HOST));
		return $location === '' ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 302 Found\r\nLocation: $location\r\n\r\n";
	}
}

foreach ([false, true] as $tls)
	Requests::$transport[serialize(['ssl' => $tls])] = Unconnected::class;
answer(function (string $url, callable $connect): string {
	Unconnected::$connect = $connect;
	$answer = wp_safe_remote_get($url);
	return is_wp_error($answer) ? $answer->get_error_message() : '';
});
