<?php
// SPDX-License-Identifier: Apache-2.0
// Judges URLs by FFI, without knowing a struct of the library: verdict, reasons, and where to connect.
$lib = FFI::cdef('
	size_t urivet_size_of(int what, size_t length);
	bool urivet_policy_init(void *policy, size_t size, int base);
	int urivet_check_sized(void *report, size_t size, const char *data, size_t length, void *policy);
	size_t urivet_format_ids(char *out, size_t capacity, void *report, void *policy);
	char *urivet_component_at(void *report, int component, const char *data, size_t length, size_t *octets);
	size_t urivet_endpoint_sized(void *endpoint, size_t size, char *out, size_t capacity, void *report,
		const char *data, size_t length);', $argv[1]);
[$policy, $report, $endpoint] = array_map(
	fn($what) => FFI::new('uint64_t[' . intdiv($lib->urivet_size_of($what, 0) + 7, 8) . ']'), [0, 2, 4]);
$lib->urivet_policy_init($policy, $lib->urivet_size_of(0, 0), 1);
foreach (array_slice($argv, 2) as $url) {
	$length = strlen($url);
	$names = FFI::new('char[1024]');
	// the octets stay where they are while spans of them are used
	$text = FFI::new('char[' . ($length + 1) . ']');
	FFI::memcpy($text, $url, $length);
	$room = FFI::new('char[' . $lib->urivet_size_of(11, $length) . ']');
	if ($lib->urivet_check_sized($report, $lib->urivet_size_of(2, 0), $text, $length, $policy) != 1) {
		$lib->urivet_format_ids($names, 1024, $report, $policy);
		echo 'reject ', FFI::string($names), "\n";
		continue;
	}
	$octets = FFI::new('size_t');
	$host = $lib->urivet_component_at($report, 4, $text, $length, FFI::addr($octets));
	$needed = $lib->urivet_endpoint_sized($endpoint, $lib->urivet_size_of(4, 0), $room, FFI::sizeof($room),
		$report, $text, $length);
	echo 'accept ', FFI::string($host, $octets->cdata), ' ', $needed > 0 ? 'True' : 'False', "\n";
}
