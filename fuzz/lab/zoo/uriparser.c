/* SPDX-License-Identifier: Apache-2.0 */
/* uriparser, which keeps every part as written and the path in segments. */
#include "adapter.h"
#include <uriparser/Uri.h>
#include <uriparser/UriBase.h>

const char *reader_version(void)
{
	return "uriparser " URI_VER_ANSI;
}

static struct slice of(UriTextRangeA range)
{
	return slice_between(range.first, range.afterLast);
}

/* Joins the segments again. An empty segment need not point into the input. */
static struct slice path_of(const UriUriA *uri, char *room)
{
	bool rooted = uri->absolutePath || uri->hostText.first != NULL;
	char *end = room;

	if (uri->absolutePath && uri->pathHead == NULL)
		*end++ = '/';
	for (const UriPathSegmentA *segment = uri->pathHead; segment != NULL;
	     segment = segment->next) {
		struct slice text = of(segment->text);

		if (rooted || segment != uri->pathHead)
			*end++ = '/';
		if (text.length > 0)
			memcpy(end, text.data, text.length);
		end += text.length;
	}
	return slice_between(room, end);
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	UriUriA uri;
	char *room;

	if (uriParseSingleUriA(&uri, text, NULL) != URI_SUCCESS)
		return;
	room = (char *)malloc(length + 2);
	if (room == NULL)
		abort();
	reading.part[SCHEME] = of(uri.scheme);
	reading.part[USERINFO] = of(uri.userInfo);
	reading.part[HOST] = of(uri.hostText);
	reading.part[PORT] = of(uri.portText);
	reading.part[PATH] = path_of(&uri, room);
	reading.part[QUERY] = of(uri.query);
	reading.part[FRAGMENT] = of(uri.fragment);
	tell(&reading);
	free(room);
	uriFreeUriMembersA(&uri);
}
