/* SPDX-License-Identifier: Apache-2.0 */
/* Tests IP addresses against the C library's inet_pton(3), inet_aton(3) and inet_ntop(3). */
#include "support.h"

#include <arpa/inet.h>
#include <stdlib.h>

#include "uri/ip.h"

TestSuite(ip, .timeout = 60);

/* Returns random strings of tokens, the same in every run. */
static const char *tokens(const char *const *words, unsigned count, unsigned most)
{
	static char buffer[128];
	static uint32_t state = 12345;
	buffer[0] = '\0';
	state = state * 1664525 + 1013904223;
	for (unsigned n = 1 + (state >> 16) % most; n > 0; n--) {
		state = state * 1664525 + 1013904223;
		const char *w = words[(state >> 16) % count];
		if (strlen(buffer) + strlen(w) < sizeof buffer)
			strcat(buffer, w);
	}
	return buffer;
}

Test(ip, ipv6_as_inet_pton)
{
	static const char *const words[] = {
		"::", ":", "0", "1", "ffff", "12345", "0db8", "1.2.3.4", "1.2.3.256", "a", ".",
		"01", "::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", ":1:",
		"1:2:3:4:5:6:", "1.2.3", "01.2.3.4", "g", "%", "/64"};
	for (unsigned k = 0; k < 2000000 / sample(); k++) {
		const char *s = tokens(words, sizeof words / sizeof words[0], 12);
		const struct text t = EDGE(s);
		uint8_t ours[16], theirs[16];
		bool dotted;
		const bool ok = urivet_ipv6_address(t, 0, ours, &dotted);
		cr_assert(ok == (inet_pton(AF_INET6, s, theirs) == 1), "%s", s);
		cr_assert(!ok || memcmp(ours, theirs, 16) == 0, "%s", s);
		cr_assert(!ok || dotted == (strchr(s, '.') != NULL), "%s", s);
	}
}

/* RFC 5952, 4.1 to 4.3; section 5 is not used (hexadecimal only). */
Test(ip, ipv6_text)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{"2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"}, {"2001:0db8::0001", "2001:db8::1"},
		{"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"}, {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},
		{"2001:DB8::A", "2001:db8::a"}, {"::", "::"}, {"::1", "::1"}, {"1::", "1::"},
		{"0:0:0:0:0:0:0:0", "::"}, {"1:0:0:0:0:0:0:0", "1::"},
		{"0:1:0:1:0:1:0:1", "0:1:0:1:0:1:0:1"}, {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
		{"::1.2.3.4", "::102:304"}, {"fe80:0:0:0:1:0:0:0", "fe80::1:0:0:0"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char buffer[64];
		struct out o = {buffer, sizeof buffer, 0};
		uint8_t address[16];
		bool dotted;
		cr_expect(urivet_ipv6_address(EDGE(rows[k].in), 0, address, &dotted));
		urivet_put_ipv6(&o, address);
		put_end(&o);
		cr_expect_str_eq(buffer, rows[k].out);
		cr_expect(urivet_ipv6_canonical(EDGE(rows[k].out), 0, address));
		/* of no other address, and with nothing else for a colon */
		for (unsigned b = 0; b < 128; b++) {
			address[b / 8] ^= 1u << b % 8;
			cr_expect(!urivet_ipv6_canonical(EDGE(rows[k].out), 0, address), "%s, bit %u", rows[k].out, b);
			address[b / 8] ^= 1u << b % 8;
		}
		char other[64];
		for (size_t c = strcspn(rows[k].out, ":"); rows[k].out[c] != '\0'; c += 1 + strcspn(rows[k].out + c + 1, ":")) {
			(void)snprintf(other, sizeof other, "%s", rows[k].out);
			other[c] = '.';
			cr_expect(!urivet_ipv6_canonical(EDGE(other), 0, address), "%s", other);
		}
		if (strcmp(rows[k].in, rows[k].out) != 0 && strcmp(rows[k].in, "2001:DB8::A") != 0)
			cr_expect(!urivet_ipv6_canonical(EDGE(rows[k].in), 0, address), "%s",
			          rows[k].in);
	}
	/* a dot is no digit, and no text in front of the offset counts; greater numbers are 2^32 */
	cr_expect(!urivet_ipv6_canonical(EDGE("::."), 0, (const uint8_t[16]){[15] = 0xe}));
	cr_expect(!urivet_ipv6_canonical(EDGE("::1"), 2, (const uint8_t[16]){[1] = 2, [15] = 1}));
	cr_expect(urivet_number(EDGE("5000000000"), 0).value == UINT64_C(1) << 32);
}

/* If the C library's text has no dotted quad, ours is the same. musl compresses other zeros. */
#ifdef __GLIBC__
Test(ip, ipv6_text_as_inet_ntop)
{
	uint32_t state = 1;
	for (unsigned k = 0; k < 200000 / sample(); k++) {
		uint8_t address[16];
		char theirs[64], ours[64];
		struct out o = {ours, sizeof ours, 0};
		for (unsigned j = 0; j < 16; j += 2) {
			state = state * 1664525 + 1013904223;
			address[j] = (state >> 28) < 8 ? 0 : (uint8_t)(state >> 16);
			address[j + 1] = (state >> 28) < 8 ? 0 : (uint8_t)(state >> 8);
		}
		inet_ntop(AF_INET6, address, theirs, sizeof theirs);
		urivet_put_ipv6(&o, address);
		put_end(&o);
		if (strchr(theirs, '.') == NULL)
			cr_assert_str_eq(ours, theirs);
	}
}
#endif

Test(ip, ipv4_strict)
{
	static const char *const good[] = {"0.0.0.0", "1.2.3.4", "255.255.255.255", "10.0.0.1",
	                                   "127.0.0.1", "192.168.100.200"};
	static const char *const bad[] = {"",        "1",        "1.2.3",     "1.2.3.4.",
	                                  "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.04",
	                                  "1..2.3",  ".1.2.3.4", "1.2.3.4 ",  "0x1.2.3.4",
	                                  "1.2.3.256", "1.2.3.1000", "+1.2.3.4", "1.2.3.a",
	                                  "4294967297.2.3.4", "1.2.3.4294967300"};
	uint8_t a[4];
	for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
		uint8_t theirs[4];
		cr_expect(urivet_ipv4_address(EDGE(good[k]), 0, a), "%s", good[k]);
		cr_expect(inet_pton(AF_INET, good[k], theirs) == 1 && memcmp(a, theirs, 4) == 0);
	}
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
		cr_expect(!urivet_ipv4_address(EDGE(bad[k]), 0, a), "%s", bad[k]);
	for (int n = 0; n < 1100; n++)
		for (int zeros = 0; zeros < 2; zeros++) {
			char text[16];
			const int length = snprintf(text, sizeof text, "%.*s%d", zeros, "0", n);
			const bool fits = n < 256 && zeros == 0;
			cr_expect(urivet_dec_octet(EDGE(text), 0, a) == (fits ? (uint32_t)length : 0) && (!fits || a[0] == n), "%s", text);
		}
	cr_expect(urivet_dec_octet(EDGE("1.2x"), 2, a) == 3 && urivet_dec_octet(EDGE("1.x"), 2, a) == 2);
}

/* Every form that inet_aton accepts has its number; the additional forms are those of browsers:
 * "0x" alone, and a final dot. */
Test(ip, ipv4_loose_as_inet_aton)
{
	static const char *const words[] = {"0",  "1",   "7",     "8",  "08",    "010",  "0x",
	                                    "0x7f", "256", "65536", ".",  ".",     ".",    "127",
	                                    "0X1f", "16777216", "4294967295", "4294967296", "a",
	                                    "017700000001", "0xffffffff", "..", "-", "99999999999"};
	for (unsigned k = 0; k < 1000000 / sample(); k++) {
		const char *s = tokens(words, sizeof words / sizeof words[0], 8);
		const struct dotted_number d = urivet_dotted_number(EDGE(s), 0);
		struct in_addr theirs;
		const bool ours = d.numeric && d.has_value;
		if (inet_aton(s, &theirs) != 0) {
			cr_assert(ours, "%s", s);
			cr_assert(d.value == ntohl(theirs.s_addr), "%s: %x", s, d.value);
		} else if (ours) {
			const char *x = strpbrk(s, "xX");
			cr_assert(d.trailing_dot || (x != NULL && (x[1] == '.' || x[1] == '\0')) ||
			              strstr(s, "0x.") || strstr(s, "0x") || strstr(s, "0X"),
			          "%s: %x", s, d.value);
		}
	}
}

/* Each octet in each place, in the form of printf(3). */
Test(ip, ipv4_text)
{
	for (unsigned k = 0; k < 4 * 256; k++) {
		uint8_t address[4] = {1, 20, 210, 0};
		char want[16], got[16];
		struct out o = {got, sizeof got, 0};
		address[k / 256] = (uint8_t)(k % 256);
		snprintf(want, sizeof want, "%u.%u.%u.%u", address[0], address[1], address[2],
		         address[3]);
		urivet_put_ipv4(&o, address);
		cr_assert(put_end(&o) == strlen(want));
		cr_assert_str_eq(got, want);
	}
}

/* Parts that overflow the bits left for the last part: inet_aton(3). */
Test(ip, dotted_numbers_at_their_borders)
{
	static const struct {
		const char *text;
		uint32_t parts, value;
		bool numeric, canonical, has_value, overflow, empty_part, trailing_dot;
	} rows[] = {
	    {"1.2.3.4", 4, 0x01020304, true, true, true, false, false, false},
	    {"10.0.0.255", 4, 0x0a0000ff, true, true, true, false, false, false},
	    {"1.2.3.4.", 4, 0x01020304, true, false, true, false, false, true},
	    {"1.2.3.256", 4, 0, true, false, false, true, false, false},
	    {"256.2.3.4", 4, 0, true, false, false, true, false, false},
	    {"255.65535", 2, 0xff00ffff, true, false, true, false, false, false},
	    {"255.16777215", 2, 0xffffffff, true, false, true, false, false, false},
	    {"255.16777216", 2, 0, true, false, false, true, false, false},
	    {"1.2.65535", 3, 0x0102ffff, true, false, true, false, false, false},
	    {"1.2.65536", 3, 0, true, false, false, true, false, false},
	    {"4294967295", 1, 0xffffffff, true, false, true, false, false, false},
	    {"4294967296", 1, 0, true, false, false, true, false, false},
	    {"99999999999999999999999999", 1, 0, true, false, false, true, false, false},
	    {"18446744073709551617", 1, 0, true, false, false, true, false, false}, /* 2^64 + 1 */
	    {"1.2.3.18446744073709551617", 4, 0, true, false, false, true, false, false},
	    {"0x10000000000000001", 1, 0, true, false, false, true, false, false},
	    {"0", 1, 0, true, false, true, false, false, false},
	    {"0.", 1, 0, true, false, true, false, false, true},
	    {"1..2", 2, 0, true, false, false, false, true, false},
	    {".1", 1, 0, true, false, false, false, true, false},
	    {"1.2.3.4.5", 5, 0, true, false, false, false, false, false},
	    {"0x", 1, 0, true, false, true, false, false, false},
	    {"", 0, 0, false, false, false, false, false, false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct dotted_number d = urivet_dotted_number(EDGE(rows[k].text), 0);
		cr_expect(d.numeric == rows[k].numeric && d.canonical == rows[k].canonical &&
		              d.has_value == rows[k].has_value,
		          "%s: %d %d %d", rows[k].text, d.numeric, d.canonical, d.has_value);
		cr_expect(!d.numeric || d.parts == rows[k].parts, "%s", rows[k].text);
		cr_expect(!d.has_value || d.value == rows[k].value, "%s: %x", rows[k].text,
		          (unsigned)d.value);
		cr_expect(d.overflow == rows[k].overflow && d.empty_part == rows[k].empty_part &&
		              d.trailing_dot == rows[k].trailing_dot,
		          "%s: %d %d %d", rows[k].text, d.overflow, d.empty_part, d.trailing_dot);
	}
}
