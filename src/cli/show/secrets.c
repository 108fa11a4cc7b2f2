/* SPDX-License-Identifier: Apache-2.0 */
/* Finds secrets. In doubt a value is masked, which loses nothing: the input is unchanged. */
#include "cli/show/secrets.h"
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
	while (at < length && (data[at] == '\0' || strchr(stops, data[at]) == NULL))
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
	size_t i = 0;

	while (i < length && name[i] != '\0' && lower_case(data[i]) == (uint8_t)name[i])
		i++;
	return i == length && name[i] == '\0';
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
	end = start;
	while (end < length && (data[end] == '/' || data[end] == '\\'))
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
		if (data[at] == '\0' || strchr(ldh, data[at]) == NULL)
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

static bool is_secret(const uint8_t *data, size_t length)
{
	for (size_t i = 0; i < sizeof secret_name / sizeof secret_name[0]; i++) {
		if (is_name(data, length, secret_name[i]))
			return true;
	}
	return false;
}

/* Masks parameters in the query and in the fragment, which may also have some. */
static void mask_parameters(uint8_t *data, size_t length)
{
	size_t at = find_any(data, 0, length, "?#");

	while (at < length) {
		size_t name = at + 1;
		size_t end = find_any(data, name, length, "&;?#");
		size_t equals = find_any(data, name, end, "=");

		if (equals < end && is_secret(data + name, equals - name))
			mask(data, equals + 1, end);
		at = end;
	}
}

void mask_secrets(uint8_t *data, size_t length)
{
	mask_userinfo(data, length);
	mask_parameters(data, length);
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
