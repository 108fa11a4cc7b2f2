/* SPDX-License-Identifier: Apache-2.0 */
/* What a part is read as. */
#ifdef HAVE_GMIME
#include "cli/scan/mail_kinds.h"
#include <strings.h>

/* How a part is read, by its media type; the first that fits counts. */
static const struct {
	const char *type;
	const char *subtype; /* NULL: any */
	enum mail_kind kind;
} kinds[] = {
    {"text", "html", MAIL_KIND_HTML},
    {"text", NULL, MAIL_KIND_TEXT}, /* calendars as well */
    {"application", "xhtml+xml", MAIL_KIND_HTML},
    {"image", "svg+xml", MAIL_KIND_HTML},
    {"application", "xml", MAIL_KIND_TEXT},
    {"application", "json", MAIL_KIND_TEXT},
    {"application", "ics", MAIL_KIND_TEXT},
    {"message", "rfc822", MAIL_KIND_MESSAGE},
    {"message", "global", MAIL_KIND_MESSAGE},
    {"message", "news", MAIL_KIND_MESSAGE},
    {"message", "partial", MAIL_KIND_PIECE},
    {"message", NULL, MAIL_KIND_TEXT}, /* reports, and what lies elsewhere */
};

/* ... else by the end of its name, by which programs open it. */
static const struct {
	const char *ending;
	enum mail_kind kind;
} endings[] = {
    {".html", MAIL_KIND_HTML},   {".htm", MAIL_KIND_HTML}, {".xhtml", MAIL_KIND_HTML},
    {".shtml", MAIL_KIND_HTML},  {".xht", MAIL_KIND_HTML}, {".svg", MAIL_KIND_HTML},
    {".txt", MAIL_KIND_TEXT},    {".ics", MAIL_KIND_TEXT}, {".url", MAIL_KIND_TEXT},
    {".eml", MAIL_KIND_MESSAGE},
};

static bool ends_in(const char *name, const char *ending)
{
	size_t length = strlen(name);

	return length >= strlen(ending) && strcasecmp(name + length - strlen(ending), ending) == 0;
}

enum mail_kind mail_kind_of(const struct mailbox *mailbox, GMimeObject *part)
{
	const struct mail_library *lib = mailbox->lib;
	GMimeContentType *type = lib->g_mime_object_get_content_type(part);
	const char *name = lib->g_mime_part_get_filename((GMimePart *)part);

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcasecmp(lib->g_mime_content_type_get_media_type(type), kinds[i].type) == 0 &&
		    (kinds[i].subtype == NULL ||
		     strcasecmp(lib->g_mime_content_type_get_media_subtype(type),
				kinds[i].subtype) == 0))
			return kinds[i].kind;
	}
	for (size_t i = 0; name != NULL && i < sizeof endings / sizeof endings[0]; i++) {
		if (ends_in(name, endings[i].ending))
			return endings[i].kind;
	}
	return MAIL_KIND_UNREAD;
}

#else
extern const char mail_kinds_is_missing;
#endif
