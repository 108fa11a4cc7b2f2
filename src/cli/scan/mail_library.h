/* SPDX-License-Identifier: Apache-2.0 */
/* Loads GMime at run time, only if mail is read. Linking it would more than double the start-up
 * time of the command, even without mail. */
#ifndef CLI_MAIL_LIBRARY_H
#define CLI_MAIL_LIBRARY_H

#include "common/text/library.h"
#include <gmime/gmime.h>
#include <stdbool.h>
#include <stdint.h>

/* The functions used from GMime and GLib. */
#define MAIL_FUNCTIONS(X)                                                                          \
	X(g_free)                                                                                  \
	X(g_object_new)                                                                            \
	X(g_object_unref)                                                                          \
	X(g_type_check_instance_is_a)                                                              \
	X(g_type_class_peek_parent)                                                                \
	X(g_type_register_static_simple)                                                           \
	X(g_mime_content_type_get_media_subtype)                                                   \
	X(g_mime_content_type_get_media_type)                                                      \
	X(g_mime_data_wrapper_get_encoding)                                                        \
	X(g_mime_data_wrapper_get_stream)                                                          \
	X(g_mime_filter_basic_new)                                                                 \
	X(g_mime_filter_charset_new)                                                               \
	X(g_mime_header_get_offset)                                                                \
	X(g_mime_header_get_raw_name)                                                              \
	X(g_mime_header_get_raw_value)                                                             \
	X(g_mime_header_get_value)                                                                 \
	X(g_mime_header_list_get_count)                                                            \
	X(g_mime_header_list_get_header_at)                                                        \
	X(g_mime_init)                                                                             \
	X(g_mime_message_get_mime_part)                                                            \
	X(g_mime_message_part_get_message)                                                         \
	X(g_mime_message_part_get_type)                                                            \
	X(g_mime_multipart_get_count)                                                              \
	X(g_mime_multipart_get_part)                                                               \
	X(g_mime_multipart_get_type)                                                               \
	X(g_mime_object_get_content_type)                                                          \
	X(g_mime_object_get_content_type_parameter)                                                \
	X(g_mime_object_get_header)                                                                \
	X(g_mime_object_get_header_list)                                                           \
	X(g_mime_parser_construct_message)                                                         \
	X(g_mime_parser_new_with_stream)                                                           \
	X(g_mime_parser_options_free)                                                              \
	X(g_mime_parser_options_new)                                                               \
	X(g_mime_parser_options_set_warning_callback)                                              \
	X(g_mime_parser_set_format)                                                                \
	X(g_mime_parser_set_header_regex)                                                          \
	X(g_mime_part_get_content)                                                                 \
	X(g_mime_part_get_filename)                                                                \
	X(g_mime_part_get_type)                                                                    \
	X(g_mime_stream_construct)                                                                 \
	X(g_mime_stream_filter_add)                                                                \
	X(g_mime_stream_filter_new)                                                                \
	X(g_mime_stream_fs_get_type)                                                               \
	X(g_mime_stream_read)                                                                      \
	X(g_mime_stream_reset)

struct mail_library {
	MAIL_FUNCTIONS(LIBRARY_POINTER)
};

/* Its functions, from mail_library_open() on. */
extern struct mail_library gmime;

/* Loads the library. Returns false after reporting that it is missing. */
bool mail_library_open(void);

/* ---- A stream with limits -------------------------------------------------------------- */

/* Limits of one message. Its header fields and parts are kept in memory, its contents are not.
 * GMime parses address groups by recursion, and some fields take eighty times their size in
 * memory. */
#define MAIL_MOST        ((uint64_t)128 << 20) /* octets */
#define MAIL_FIELDS_MOST 100000u               /* header fields of all parts */
#define MAIL_HEADER_MOST (4u << 20)            /* ... and their total octets */
#define MAIL_FIELD_MOST  (32u << 10)           /* octets of one field */
#define MAIL_DASHES_MOST 100000u               /* lines that start with "--", as boundaries do */

/* What the current line may be, as far as it was read. */
enum mail_line {
	MAIL_LINE_BEGINS = 0,
	MAIL_LINE_NAME,  /* the name of a field, if a colon follows */
	MAIL_LINE_BLANK, /* ... white space after the name */
	MAIL_LINE_FIELD, /* a field, or a line like one */
	MAIL_LINE_OTHER
};

struct mail_guard {
	uint64_t octets;
	uint64_t header; /* octets of all fields */
	uint32_t fields;
	uint32_t dashes;
	enum mail_line line;
	uint32_t field; /* octets of the line that looks like a field, and of its folded lines */
	bool is_field;  /* the previous line was a field, which a folded line continues */
	unsigned begun; /* number of "-" at the start of the line */
	const char *breach; /* the exceeded limit, after which nothing is read; NULL: none */
};

/* Returns a stream over [begin, end) of a file, which the caller keeps. The stream ends early if a
 * limit is exceeded. An `end` of UINT64_MAX means the end of the file. */
GMimeStream *mail_stream(int fd, uint64_t begin, uint64_t end, struct mail_guard *guard);

/* Counts the fields that a parser reads. */
void mail_count_fields(GMimeParser *parser, struct mail_guard *guard);

#endif
