/* SPDX-License-Identifier: Apache-2.0 */
/* Finds secrets. In doubt a value is masked, which loses nothing: the input is unchanged. */
#include "common/text/secrets.h"
#include "common/hex.h"
#include <stdbool.h>
#include <string.h>

/* Parameters whose values are credentials. */
static const char *const secret_name[] = {"access_key",
					  "access_token",
					  "api-key",
					  "api_key",
					  "api_token",
					  "apikey",
					  "auth",
					  "auth_token",
					  "client_secret",
					  "code",
					  "id_token",
					  "invitation",
					  "invite",
					  "jsessionid",
					  "jwt",
					  "key",
					  "passwd",
					  "password",
					  "phpsessid",
					  "private_token",
					  "pwd",
					  "refresh_token",
					  "secret",
					  "secret_key",
					  "session",
					  "session_id",
					  "session_token",
					  "sessionid",
					  "sid",
					  "sig",
					  "signature",
					  "token",
					  "x-amz-credential",
					  "x-amz-security-token",
					  "x-amz-signature",
					  "x-api-key",
					  "x-goog-credential",
					  "x-goog-signature"};

/* Returns the first position in data[at..length) of an octet in `stops`, or `length`. */
static size_t find_any(const uint8_t *data, size_t at, size_t length, const char *stops)
{
	while (at < length && !is_one_of(data[at], stops))
		at++;
	return at;
}

static void mask(uint8_t *data, size_t from, size_t to)
{
	if (from < to)
		memset(data + from, '*', to - from);
}

static bool is_name(const uint8_t *data, size_t length, const char *name)
{
	return text_equals_in_any_case(text_at(data, length), text_of(name));
}

/* Returns how many slashes are required before an authority: two. Browsers need only one after a
 * scheme, and none after a special scheme. */
static size_t least_slashes(const uint8_t *data, size_t start, size_t colon, bool scheme)
{
	static const char *const special[] = {"http", "https", "ws", "wss", "ftp"};

	for (size_t i = 0; scheme && i < sizeof special / sizeof special[0]; i++) {
		if (is_name(data + start, colon - start, special[i]))
			return 0;
	}
	return scheme ? 1 : 2;
}

/* Returns the start of the authority, or `length`. Browsers treat a backslash as a slash, and remove
 * blanks and controls in front. */
static size_t find_authority(const uint8_t *data, size_t length)
{
	size_t front = 0;
	size_t at, start, end;
	bool scheme;

	while (front < length && data[front] <= ' ')
		front++;
	at = find_any(data, front, length, ":/?#\\");
	scheme = at < length && data[at] == ':';
	start = scheme ? at + 1 : front;
	for (end = start; end < length && (data[end] == '/' || data[end] == '\\');)
		end++;
	return end - start >= least_slashes(data, front, at, scheme) ? end : length;
}

/* Returns true if the text up to the first of & % ; = \ is a name with a dot, made to look like the
 * host. Such a name is not a secret and must stay visible. */
static bool reads_like_host(const uint8_t *data, size_t start, size_t end)
{
	static const char ldh[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
	size_t stop = find_any(data, start, end, "&%;=\\");
	size_t dot = find_any(data, start, stop, ".");

	for (size_t at = start; at < stop; at++) {
		if (!is_one_of(data[at], ldh))
			return false;
	}
	return dot > start && dot + 1 < stop;
}

/* Finds the userinfo without its "@". Returns false if there is none. */
static bool find_userinfo(const uint8_t *data, size_t length, size_t *start, size_t *end)
{
	*start = find_authority(data, length);
	*end = find_any(data, *start, length, "/?#");
	while (*end > *start && data[*end - 1] != '@')
		--*end;
	if (*end == *start)
		return false;
	--*end;
	return true;
}

static void mask_userinfo(uint8_t *data, size_t length)
{
	size_t start, end, colon;

	if (!find_userinfo(data, length, &start, &end))
		return;
	colon = find_any(data, start, end, ":");
	if (colon < end)
		mask(data, colon + 1, end);
	else if (!reads_like_host(data, start, end))
		mask(data, start, end);
	else
		mask(data, find_any(data, start, end, "\\") + 1, end);
}

/* ---- Texts that are percent-encoded, once or more ------------------------------------------ */

/* How often a text is decoded at most: a URL in a URL in a URL. */
#define LEVELS_MOST 16u

/* A text as it reads after `level` percent-decodings. Positions are those of the text itself. */
struct view {
	uint8_t *data;
	size_t length;
	unsigned level;
};

/* Returns how often "%25" was encoded at a "%": the number of "25" before two hex digits that follow.
 * Returns -1 if there are no two hex digits. */
static int encodings_at(const struct view *view, size_t at)
{
	int count = 0;

	for (at++; at + 1 < view->length; at += 2, count++) {
		if (hex_value(view->data[at]) > 15 || hex_value(view->data[at + 1]) > 15)
			break;
		if (view->data[at] != '2' || view->data[at + 1] != '5')
			return count;
	}
	return count - 1;
}

/* Returns the octet at a position, and stores the position after it. */
static uint8_t octet_at(const struct view *view, size_t at, size_t *next)
{
	const uint8_t *digits = view->data + at + 1;
	int encodings;

	*next = at + 1;
	if (view->data[at] != '%' || view->level == 0)
		return view->data[at];
	encodings = encodings_at(view, at);
	if (encodings < 0)
		return '%';
	if ((unsigned)encodings >= view->level) {
		*next += 2 * view->level;
		return '%';
	}
	digits += 2 * encodings;
	*next += 2 * (size_t)encodings + 2;
	return (uint8_t)(hex_value(digits[0]) << 4 | hex_value(digits[1]));
}

/* Returns the first position from `at` on of an octet in `stops`, or the length. */
static size_t stop_at(const struct view *view, size_t at, const char *stops)
{
	while (at < view->length) {
		size_t next;
		const uint8_t octet = octet_at(view, at, &next);

		if (is_one_of(octet, stops))
			break;
		at = next;
	}
	return at;
}

/* Returns true if the colon at a position follows the scheme of mail addresses, which have no secret
 * before their "@". */
static bool is_mail(const struct view *view, size_t at)
{
	return at >= 6 && is_name(view->data + at - 6, 6, "mailto");
}

/* Masks what precedes the last "@": from the first colon on if `start` is that of a host, or all. */
static size_t mask_credentials(const struct view *view, size_t start, bool is_host)
{
	const size_t end = stop_at(view, start, "/?#\\&\"'<> ");
	size_t sign = end, colon = end, next;

	for (size_t at = start; at < end; at = next) {
		const uint8_t octet = octet_at(view, at, &next);

		if (octet == ':' && colon == end)
			colon = next;
		else if (octet == '@')
			sign = at;
	}
	if (sign == end)
		return end;
	if (colon < sign && is_host)
		mask(view->data, colon, sign);
	else if (!is_host || !reads_like_host(view->data, start, sign))
		mask(view->data, start, sign);
	return end;
}

/* Masks the userinfo of each URL inside the text, and of what looks like one without a scheme. The
 * text's own authority begins at `own`, and was masked already. */
static void mask_nested(const struct view *view, size_t own)
{
	size_t done = 0;
	size_t slashes = 0;
	bool colon = false;
	bool in_path = true;
	bool blank = false; /* after a blank inside a path no reader sees a URL */

	for (size_t at = 0, next; at < view->length; at = next) {
		const uint8_t octet = octet_at(view, at, &next);

		in_path = in_path && octet != '?' && octet != '#' && octet != '=';
		blank = in_path &&
			(blank || (at > 0 && view->data[at] == ' ' && view->data[at - 1] > ' '));
		if (octet == '/' || octet == '\\') {
			slashes++;
			continue;
		}
		if (!blank && octet != ':' && at >= done && (slashes >= 2 || colon))
			done = mask_credentials(view, at, slashes > 0 || at == own);
		colon = octet == ':' && !is_mail(view, at);
		slashes = 0;
	}
}

/* The name of a parameter in lower case, decoded as often as possible. */
struct name {
	char text[32]; /* longer than each secret name */
	size_t length;
};

static void end_word(struct name *name, bool *secret)
{
	for (size_t i = 0; i < sizeof secret_name / sizeof secret_name[0]; i++)
		*secret = *secret ||
			  text_equals(text_at(name->text, name->length), text_of(secret_name[i]));
	name->length = 0;
}

/* Returns true if the name, or a word of "user[password]" or "user.password", is that of a secret. */
static bool is_secret(const struct view *view, size_t start, size_t end)
{
	const struct view decoded = {view->data, end, LEVELS_MOST};
	struct name name = {.length = 0};
	bool secret = false;

	for (size_t at = start, next; at < end; at = next) {
		const uint8_t octet = octet_at(&decoded, at, &next);

		if (strchr("[].+ \t", octet) != NULL)
			end_word(&name, &secret);
		else if (name.length < sizeof name.text)
			name.text[name.length++] = (char)lower_case(octet);
	}
	end_word(&name, &secret);
	return secret;
}

/* Masks parameters of the query, of the path, and of the fragment. */
static void mask_parameters(const struct view *view)
{
	bool in_path = true;

	for (size_t at = 0; at < view->length;) {
		const size_t name = at, stop = stop_at(view, at, "=&;?#/");
		uint8_t octet;

		if (stop == view->length)
			break;
		octet = octet_at(view, stop, &at);
		if (octet == '=' && is_secret(view, name, stop)) {
			const size_t value = at;

			at = stop_at(view, value, in_path ? "/;?#&" : "&#");
			mask(view->data, value, at);
		} else if (octet == '=') {
			at = stop_at(view, at, in_path ? "/;?#&" : "&;?#");
		}
		in_path = in_path && octet != '?' && octet != '#';
	}
}

/* Returns how often some of the text was encoded, up to LEVELS_MOST. */
static unsigned levels_of(const struct view *text)
{
	int most = 0;

	for (size_t at = 0, next; at < text->length; at = next) {
		(void)octet_at(text, at, &next);
		if (text->data[at] == '%' && encodings_at(text, at) >= most)
			most = encodings_at(text, at) + 1;
	}
	return (unsigned)most < LEVELS_MOST ? (unsigned)most : LEVELS_MOST;
}

void mask_secrets(uint8_t *data, size_t length)
{
	struct view view = {data, length, LEVELS_MOST};
	const unsigned levels = levels_of(&view);
	const size_t own = find_authority(data, length);

	mask_userinfo(data, length);
	for (view.level = 0; view.level <= levels; view.level++) {
		mask_nested(&view, own);
		mask_parameters(&view);
	}
}

void mask_secrets_read(uint8_t *data, size_t length, size_t path, struct octets input)
{
	size_t start, end;

	mask_secrets(data, length);
	if (!find_userinfo(input.data, input.length, &start, &end))
		return;
	end = find_any(data, path, length, "?#");
	while (end > path && data[end - 1] != '@')
		end--;
	if (end > path)
		mask(data, path + 1, end - 1);
}
