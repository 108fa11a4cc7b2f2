// SPDX-License-Identifier: Apache-2.0
// Typical inputs: [what it shows, a finding that it has or none, the input]. `escapes`: \xHH stands for an octet; `target`: a request target, with
// its Host field. A test checks that each has its finding, and that those of the first group are read apart.

export const EXAMPLES = [
	['Programs go to different hosts', [
		['Browsers and curl go to different hosts', 'backslash-authority', 'http://example.com\\@example.net/'],
		['A number that is an address, or a name', 'ipv4-hex', 'http://0x7f.0.0.1/admin'],
		['Leading zeros: octal or decimal?', 'ipv4-octal', 'http://010.8.8.8/'],
		['An address with two parts', 'ipv4-short', 'http://127.1/'],
		['One number for four', 'ipv4-decimal', 'http://2130706433/'],
		['A tab in the name', 'raw-tab', 'http://exam\\x09ple.com/', { escapes: true }],
		['Escapes in the name', 'host-percent-encoded', 'http://%65xample.com/'],
		['Full-width letters and dots', 'idn-compat-mapping', 'http://ｅｘａｍｐｌｅ。ｃｏｍ/'],
		['A letter that UTS 46 changes: ß', 'idn-deviation-char', 'https://faß.de/'],
		['Browsers repair missing slashes', 'scheme-slash-missing', 'http:example.com/'],
	]],
	['People see another host', [
		['The host is behind the @', 'userinfo-misleading', 'https://www.paypal.com&session=81@198.51.100.7/login'],
		['A name that looks like another', 'idn-mixed-script', 'https://www.xn--pypal-4ve.com/'],
		['A whole name in other letters', 'idn-whole-script-confusable', 'https://xn--80ak6aa92e.com/'],
		['Text that runs from right to left', 'escaped-bidi', 'https://example.com/\\u{202e}gpj.exe', { escapes: true }],
		['An invisible character', 'idn-ignored-char', 'https://exam\\u{200b}ple.com/', { escapes: true }],
		['An escaped one, in the path', 'escaped-bidi', 'https://example.com/%E2%81%A6x'],
		['A password in the link', 'userinfo-present', 'https://user:secret@example.com/'],
		['A brand as part of a name', null, 'https://paypal.com.login.example.net/'],
	]],
	['It leads inside a network', [
		['A cloud server\'s secrets', 'addr-link-local', 'http://169.254.169.254/latest/meta-data/', { policy: 'public' }],
		['This machine', 'addr-loopback', 'http://127.0.0.1:80/', { policy: 'public' }],
		['IPv4 inside IPv6', 'ipv6-noncanonical', 'http://[::ffff:127.0.0.1]/'],
		['A private network', 'addr-private', 'http://10.0.0.1/', { policy: 'public' }],
		['A name that spells an address', 'host-embeds-ip', 'http://127.0.0.1.nip.io/'],
		['A service that is no web server', 'port-nondefault', 'http://example.com:6379/'],
	]],
	['A server sees another path', [
		['Dot segments', 'dot-segment', 'https://example.com/static/../admin'],
		['Escaped dots', 'escaped-dot-segment', 'https://example.com/static/%2e%2e/admin'],
		['An escaped slash', 'escaped-slash', 'https://example.com/files%2F..%2Fsecret'],
		['Escaped twice', 'double-escape', 'https://example.com/%252e%252e/admin'],
		['A parameter that hides dots', 'path-param-dot-segment', 'https://example.com/static/..;/admin'],
		['A request target with a semicolon', 'path-semicolon', '/admin;x/f', { target: true, host: 'example.com' }],
		['Target and Host field differ', 'host-header-mismatch', 'http://other.example/a', { target: true, host: 'example.com' }],
		['A query without a path', 'query-after-empty-path', 'http://example.com?x=/admin'],
		['A line end: two requests', 'raw-crlf', 'http://example.com/a\\x0d\\x0aX: y', { escapes: true }],
	]],
	['It is no web address at all', [
		['A script', 'scheme-script', 'javascript://example.com/%0aalert(1)'],
		['A page in the link itself', 'scheme-data', 'data:text/html,<script>alert(1)</script>'],
		['A file', 'scheme-file', 'file:///etc/passwd'],
		['Java looks up code', 'scheme-ldap-jndi', 'ldap://example.com/a'],
	]],
	['All read these alike', [
		['A plain link', null, 'https://example.com/a/b?q=1#top'],
		['A link that could be written better', 'scheme-case', 'HTTPS://Example.com:0443/%7euser/./index.html'],
		['An international name with its one spelling', 'host-unicode', 'https://müller.de/straße?q=größe'],
	]],
].map(([group, rows]) => ({ group, rows: rows.map(([title, finding, input, options = {}]) => ({ title, finding, input, ...options })) }));
