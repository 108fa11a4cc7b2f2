/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mutator for libFuzzer and AFL++ that knows the structure of URIs. It splits the input into
 * components, replaces some with unusual ones, escapes, unescapes, and moves lengths, positions and
 * numbers to the borders at which readers cut, vectors end and types wrap. Half of the mutations are the engine's own, which are not limited to known
 * structures.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
				 uint8_t *out, size_t max_size, unsigned seed);
/* The engine's mutator; AFL++ has none. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Random numbers ---------------------------------------------------------------- */

static uint64_t state;

/* Returns a number below `limit`, by splitmix64. */
static size_t below(size_t limit)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (size_t)((z ^ z >> 31) % limit);
}

static bool one_in(size_t n)
{
	return below(n) == 0;
}

/* ---- The text to mutate -------------------------------------------------------------- */

struct text {
	uint8_t *data;
	size_t length, most;
};

/* Replaces text[at..at + old]. Returns false if there is no room. */
static bool replace(struct text *t, size_t at, size_t old, const void *data, size_t length)
{
	if (t->length - old + length > t->most)
		return false;
	memmove(t->data + at + length, t->data + at + old, t->length - at - old);
	if (length > 0)
		memcpy(t->data + at, data, length);
	t->length = t->length - old + length;
	return true;
}

enum component { SCHEME, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT, COMPONENTS };

/* Offsets without delimiters. An absent component is empty, at its place. */
struct cut {
	size_t at[COMPONENTS], end[COMPONENTS];
};

static size_t find(const struct text *t, size_t at, size_t end, const char *set)
{
	while (at < end && (t->data[at] == '\0' || strchr(set, t->data[at]) == NULL))
		at++;
	return at;
}

static void cut_authority(const struct text *t, struct cut *c, size_t at, size_t end)
{
	const size_t user = find(t, at, end, "@");
	c->at[USERINFO] = at;
	c->end[USERINFO] = user < end ? user : at;
	c->at[HOST] = user < end ? user + 1 : at;
	c->end[HOST] = c->at[HOST] < end && t->data[c->at[HOST]] == '['
			   ? find(t, c->at[HOST], end, "]")
			   : find(t, c->at[HOST], end, ":");
	c->at[PORT] = find(t, c->end[HOST], end, ":");
	c->at[PORT] += c->at[PORT] < end;
	c->end[PORT] = end;
}

static struct cut cut(const struct text *t)
{
	struct cut c = {{0}, {0}};
	const size_t head = find(t, 0, t->length, ":/?#");
	size_t at = head < t->length && t->data[head] == ':' ? head + 1 : 0, end = at;
	c.end[SCHEME] = at > 0 ? head : 0;
	if (t->length - at >= 2 && t->data[at] == '/' && t->data[at + 1] == '/') {
		at += 2;
		end = find(t, at, t->length, "/?#");
	}
	cut_authority(t, &c, at, end);
	c.at[PATH] = end;
	c.end[PATH] = find(t, end, t->length, "?#");
	c.at[QUERY] = c.end[PATH] + (c.end[PATH] < t->length && t->data[c.end[PATH]] == '?');
	c.end[QUERY] = find(t, c.at[QUERY], t->length, "#");
	c.at[FRAGMENT] = c.end[QUERY] + (c.end[QUERY] < t->length);
	c.end[FRAGMENT] = t->length;
	return c;
}

/* ---- Texts to insert ------------------------------------------------------------------ */

static const char *const schemes[] = {"http",      "https",    "HTTP", "ws",         "wss",
				      "ftp",       "file",     "data", "javascript", "x",
				      "http+unix", "jar:http", "urn",  "1x"};
static const char *const userinfos[] = {"",    "user", "user:pw",        "example.com", "a@b",
					"%40", ":",    "example.com:80", "a%3Ab",       "a&b"};
static const char *const hosts[] = {"example.com",
				    "EXAMPLE.com",
				    "example.com.",
				    "localhost",
				    "a",
				    "-a",
				    "a-",
				    "a_b",
				    "a..b",
				    ".",
				    "xn--a",
				    "xn--exmple-cua",
				    "xn--e28h.example",
				    "ex%61mple",
				    "a%00b",
				    "a%2fb",
				    "a%40b",
				    "*",
				    "a~b",
				    "[::1]",
				    "[::]",
				    "[::ffff:1.2.3.4]",
				    "[::ffff:7f00:1]",
				    "[64:ff9b::7f00:1]",
				    "[2002:7f00:1::]",
				    "[2001:db8::5efe:a00:1]",
				    "[fe80::1%25eth0]",
				    "[v1.a]",
				    "[1:2:3:4:5:6:7::]",
				    "[::2:3:4:5:6:7:8]",
				    "[1:2:3:4:5:6:7:8]",
				    "[1::2::3]",
				    "[2001:DB8::1]",
				    "[::1",
				    "::1",
				    "127.0.0.1",
				    "169.254.169.254",
				    "1.2.3.4.5",
				    "256.1.1.1",
				    "1.2.3.4a",
				    "1.2.3.4.nip.io",
				    "10-0-0-1.a.example",
				    "a.0x7f",
				    "\xc3\xa4.example",
				    "a\xe3\x80\x82"
				    "b",
				    "a\xc2\xad"
				    "b",
				    "%E3%80%82",
				    "lvh.me",
				    "a.internal"};
static const char *const ports[] = {"",
				    "0",
				    "80",
				    "443",
				    "21",
				    "0080",
				    "8080",
				    "65535",
				    "65536",
				    "65616",
				    "99999999999999999999",
				    "+80",
				    "80a",
				    "%38",
				    "80:443",
				    "25"};
static const char *const pieces[] = {"/",         "//",        ".",
				     "..",        "/.",        "/..",
				     "/./",       "/../",      "/...",
				     "%2e",       "%2E%2e",    "..;",
				     ";",         ":",         ";a=b",
				     "%2f",       "%5c",       "\\",
				     "%25",       "%252e",     "%00",
				     "%0d%0a",    "%c3%a9",    "%e9",
				     "%c0%af",    "%ed%a0%80", "%f0%9f%92%a9",
				     "%E2%80%AE", "%e2%81%a6", "%EF%BC%8E%EF%BC%8E",
				     "%E2%80%A5", "%EF%BC%8F", "%zz",
				     "%",         "%4",        "?",
				     "#",         "&",         "=",
				     "+",         "[",         "]",
				     "[]",        "@",         ":80/",
				     "//h/",      "http://h/", "a.b:80",
				     "~",         "%7e",       "%41",
				     "{x}",       "|",         "^",
				     "<b>",       "\"",        "'",
				     " ",         "\t",        "\n",
				     "\r\n",      "\x7f",      "\x00",
				     "\xc3\xa9",  "\xff",      "*",
				     "$(x)",      "-",         "_",
				     "token=x"};

static const struct {
	const char *const *word;
	size_t count;
	const char *before, *after; /* its delimiters */
} tables[COMPONENTS] = {
    [SCHEME] = {schemes, COUNT(schemes), "", ":"},
    [USERINFO] = {userinfos, COUNT(userinfos), "", "@"},
    [HOST] = {hosts, COUNT(hosts), "", ""},
    [PORT] = {ports, COUNT(ports), ":", ""},
    [PATH] = {pieces, COUNT(pieces), "/", ""},
    [QUERY] = {pieces, COUNT(pieces), "?", ""},
    [FRAGMENT] = {pieces, COUNT(pieces), "#", ""},
};

/* Writes one to five numbers in any base, with any separators. */
static size_t odd_ipv4(char out[64])
{
	static const uint32_t values[] = {0,   1,   127, 10,    192,        168,        169,
					  254, 255, 256, 65535, 2130706433, 4294967295, 16777216};
	const size_t parts = 1 + below(5);
	size_t n = 0;
	for (size_t k = 0; k < parts && n < 48; k++) {
		const uint32_t value = values[below(COUNT(values))];
		switch (below(7)) {
		case 0:
			n += (size_t)snprintf(out + n, 64 - n, "0%o", value);
			break;
		case 1:
			n += (size_t)snprintf(out + n, 64 - n, "0x%x", value);
			break;
		case 2:
			n += (size_t)snprintf(out + n, 64 - n, "00%u", value);
			break;
		default:
			n += (size_t)snprintf(out + n, 64 - n, "%u", value);
		}
		if (k + 1 < parts || one_in(8))
			out[n++] = one_in(12) ? '-' : '.';
	}
	return n;
}

/* Writes groups and gaps of IPv6. */
static size_t odd_ipv6(char out[64])
{
	static const char *const groups[] = {"0",    "1",  "ffff", "db8",  "00",   "0001", "10000",
					     "FE80", "64", "ff9b", "5efe", "2002", "fd00", "g"};
	const size_t count = 1 + below(9);
	size_t n = 0;
	out[n++] = '[';
	for (size_t k = 0; k < count && n < 48; k++) {
		n += (size_t)snprintf(out + n, 64 - n, "%s%s", groups[below(COUNT(groups))],
				      one_in(4) ? "::" : ":");
	}
	if (one_in(3))
		n += (size_t)snprintf(out + n, 64 - n, "1.2.3.4");
	else if (one_in(2))
		n--;
	out[n++] = ']';
	return n;
}

/* ---- Mutations -------------------------------------------------------------------------- */

/* Replaces a component, adding its delimiters if it was absent. */
static bool exchange(struct text *t)
{
	const struct cut c = cut(t);
	const enum component which = (enum component)below(COMPONENTS);
	const size_t at = c.at[which], old = c.end[which] - at;
	const char *word = tables[which].word[below(tables[which].count)];
	char made[96];
	size_t n;
	if (which == HOST && one_in(2)) {
		n = one_in(2) ? odd_ipv4(made) : odd_ipv6(made);
		return replace(t, at, old, made, n);
	}
	n = (size_t)snprintf(made, sizeof made, "%s%s%s", old == 0 ? tables[which].before : "",
			     word, old == 0 ? tables[which].after : "");
	return replace(t, at, old, made, n < sizeof made ? n : sizeof made - 1);
}

/* Inserts a text somewhere in a component. */
static bool insert(struct text *t)
{
	const struct cut c = cut(t);
	const size_t which = below(COMPONENTS), room = c.end[which] - c.at[which] + 1;
	const char *piece = pieces[below(COUNT(pieces))];
	return replace(t, c.at[which] + below(room), 0, piece,
		       piece[0] == '\0' ? 1 : strlen(piece));
}

/* Replaces an octet by its triplet, a triplet by its octet, or % by %25. */
static bool recode(struct text *t)
{
	const size_t at = below(t->length + 1);
	char triplet[4];
	unsigned value;
	if (at == t->length)
		return false;
	if (t->data[at] == '%' && at + 3 <= t->length && one_in(2)) {
		memcpy(triplet, t->data + at, 3);
		triplet[3] = '\0';
		if (sscanf(triplet + 1, "%2x", &value) == 1) {
			const uint8_t octet = (uint8_t)value;
			return replace(t, at, 3, &octet, 1);
		}
	}
	snprintf(triplet, sizeof triplet, one_in(2) ? "%%%02X" : "%%%02x", t->data[at]);
	return replace(t, at, 1, triplet, 3);
}

static bool flip_case(struct text *t)
{
	const size_t at = below(t->length + 1);
	if (at == t->length)
		return false;
	t->data[at] ^= 0x20;
	return true;
}

/* Lengths at which readers cut, and at which vectors, blocks and buffers end. The last seven are for
 * harnesses of long inputs. */
static const uint32_t lengths[] = {16,  32,  48,  63,   64,   65,   128,  192,   253,   254,
				   255, 256, 257, 4096, 5461, 8192, 8193, 16384, 65535, 65536};

/* Returns a length, or one beside it. */
static size_t border_length(size_t most)
{
	size_t length = lengths[below(one_in(8) ? COUNT(lengths) : 13)] + below(3) - 1;
	while (length > most)
		length /= 2;
	return length;
}

/* Repeats an octet of a component until it has a length at which readers cut. */
static bool stretch(struct text *t)
{
	const struct cut c = cut(t);
	const size_t which = below(COMPONENTS), length = c.end[which] - c.at[which];
	const size_t border = border_length(t->most);
	size_t at, more;
	if (length == 0 || length >= border || t->length + border - length > t->most)
		return false;
	at = c.at[which] + below(length);
	more = border - length;
	memmove(t->data + at + more, t->data + at, t->length - at);
	memset(t->data + at, t->data[at + more], more);
	t->length += more;
	return true;
}

/* Moves an octet that means something to an offset where a vector or a block ends, by letters
 * before it. */
static bool move_to_border(struct text *t)
{
	const struct cut c = cut(t);
	const size_t from = below(2) == 0 ? c.at[PATH] : c.at[HOST], to = border_length(t->most);
	const size_t at = find(t, from + below(8), t->length, "/.%?#&=;:\\@ \n");
	if (at >= t->length || at >= to || t->length + to - at > t->most)
		return false;
	memmove(t->data + to, t->data + at, t->length - at);
	memset(t->data + at, 'a', to - at);
	t->length += to - at;
	return true;
}

/* Writes a number at which a type ends, or one beside it, in any base. */
static size_t odd_number(char out[32])
{
	static const uint8_t bits[] = {7, 8, 15, 16, 24, 31, 32, 53, 63};
	const unsigned long long wraps = 1ULL << bits[below(COUNT(bits))];
	const unsigned long long value = wraps + (one_in(3) ? 80 : below(3)) - 1;
	switch (below(6)) {
	case 0:
		return (size_t)snprintf(out, 32, "1844674407370955161%u", (unsigned)below(10));
	case 1:
		return (size_t)snprintf(out, 32, "0x%llx", value);
	case 2:
		return (size_t)snprintf(out, 32, "0%llo", value);
	default:
		return (size_t)snprintf(out, 32, "%llu", value);
	}
}

static bool exchange_number(struct text *t)
{
	const size_t at = find(t, below(t->length + 1), t->length, "0123456789");
	size_t end = at;
	char made[32];
	while (end < t->length && t->data[end] >= '0' && t->data[end] <= '9')
		end++;
	return at < end && replace(t, at, end - at, made, odd_number(made));
}

/* Appends a space and the text again, for harnesses that read two or three URIs. */
static bool twice(struct text *t)
{
	const size_t length = t->length;
	if (2 * length + 1 > t->most)
		return false;
	memcpy(t->data + length + 1, t->data, length);
	t->data[length] = ' ';
	t->length = 2 * length + 1;
	return true;
}

static bool change(struct text *t)
{
	static bool (*const changes[])(struct text *) = {
	    exchange, exchange,  exchange, insert,         insert,          recode,
	    recode,   flip_case, stretch,  move_to_border, exchange_number, twice};
	return changes[below(one_in(4) ? COUNT(changes) : 7)](t);
}

/* ---- Entry points of the engines ------------------------------------------------------------ */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct text t = {data, size, max_size};
	size_t changes;
	state = seed;
	if (one_in(2) && LLVMFuzzerMutate != NULL)
		return LLVMFuzzerMutate(data, size, max_size);
	changes = 1 + below(4);
	while (changes-- > 0)
		change(&t);
	return t.length;
}

/* Replaces a component of the first input by one of the second. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
				 uint8_t *out, size_t max_size, unsigned seed)
{
	struct text t = {out, a_size < max_size ? a_size : max_size, max_size};
	struct text other = {(uint8_t *)(uintptr_t)b, b_size, b_size};
	struct cut c, d;
	size_t which;
	state = seed;
	which = below(COMPONENTS);
	if (t.length > 0)
		memcpy(out, a, t.length);
	c = cut(&t);
	d = cut(&other);
	replace(&t, c.at[which], c.end[which] - c.at[which], b + d.at[which],
		d.end[which] - d.at[which]);
	return t.length;
}

#ifdef FOR_AFL
/* AFL++ 4: https://aflplus.plus/docs/custom_mutators/ */
void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *context, uint8_t *buffer, size_t size, uint8_t **out, uint8_t *other,
		       size_t other_size, size_t max_size);
void afl_custom_deinit(void *context);

struct afl {
	uint8_t *out;
	size_t room;
	unsigned seed;
};

void *afl_custom_init(void *afl, unsigned seed)
{
	struct afl *a = calloc(1, sizeof *a);
	(void)afl;
	if (a != NULL)
		a->seed = seed;
	return a;
}

size_t afl_custom_fuzz(void *context, uint8_t *buffer, size_t size, uint8_t **out, uint8_t *other,
		       size_t other_size, size_t max_size)
{
	struct afl *a = context;
	*out = buffer;
	if (a->room < max_size) {
		uint8_t *room = realloc(a->out, max_size);
		if (room == NULL)
			return size;
		a->out = room;
		a->room = max_size;
	}
	*out = a->out;
	a->seed = a->seed * 1664525u + 1013904223u;
	if (other != NULL && other_size > 0 && (a->seed >> 16) % 4 == 0)
		return LLVMFuzzerCustomCrossOver(buffer, size, other, other_size, a->out, max_size,
						 a->seed);
	memcpy(a->out, buffer, size < max_size ? size : max_size);
	return LLVMFuzzerCustomMutator(a->out, size < max_size ? size : max_size, max_size,
				       a->seed);
}

void afl_custom_deinit(void *context)
{
	struct afl *a = context;
	free(a->out);
	free(a);
}
#endif
