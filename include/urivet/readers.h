/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: models of how other software parses a URI. The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_READERS_H
#define URIVET_API_READERS_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Readers -------------------------------------------------------------- */

/* Models of how families of software parse a URI. readers.def has one row for each and says what it
 * follows. The first five are editions: each follows one text of the standard. */
enum urivet_reader {
#define READER(constant, number, ...) URIVET_READER_##constant = number,
#include <urivet/readers.def>
#undef READER
	URIVET_READERS
};

/* Returns "rfc3986", "uri-2003", ...; NULL for an unknown number. */
URIVET_API const char *urivet_reader_name(unsigned reader);

/* Returns the number of the reader named name[0..length), or -1. */
URIVET_API int urivet_reader_named(const char *name, size_t length);

/* The result of parsing one input as a reader does. The spans of `uri` refer to the text in `out`
 * if `written` is above 0, else to the input. */
struct urivet_reading {
	uint32_t size;   /* sizeof the program's struct; set by the library */
	bool reads;      /* the reader accepts the input; if not, the other members are invalid */
	struct urivet_uri uri; /* has_ipv4 and host_kind: the address that it would connect to */
	size_t written;  /* octets of text in `out`: set by the readers browser and resolver if
	                  * they accept the input */
};

/* A capacity that suffices for the text of any reading of an input of this length, with its NUL. */
#define URIVET_READING_CAPACITY(length) ((size_t)10 * (length) + 64)

/*
 * Parses the input as one reader does, and returns reading->reads; false also for an unknown
 * reader. browser and resolver write the URI as they see it to out. They reject the input if
 * capacity is below URIVET_READING_CAPACITY(length), or if the input has 256 MiB or more. The
 * other readers do not use out, which may be NULL. Linear.
 */
URIVET_API bool urivet_read_as_sized(struct urivet_reading *reading, size_t size,
                                     enum urivet_reader how, const void *data, size_t length,
                                     char *out, size_t capacity);
static inline bool urivet_read_as(struct urivet_reading *reading, enum urivet_reader how,
                                  const void *data, size_t length, char *out, size_t capacity)
{
	return urivet_read_as_sized(reading, sizeof *reading, how, data, length, out, capacity);
}

/*
 * Returns true if the readings of rfc3986, browser and resolver differ in scheme, userinfo,
 * host, address or port. If pair is not NULL, it is then set to two readers that differ, and
 * otherwise left unchanged. A reader that rejects the input does not count. Letter case of
 * scheme and host, and escapes that a reader adds to the userinfo, are no difference. The
 * buffer is for the texts of the readings: a capacity of 2 * URIVET_READING_CAPACITY(length)
 * always suffices; a reading that does not fit counts as a rejection.
 *
 * If `report` is not NULL, it is the finished report of the input by `policy`: if readers
 * disagree, the finding `readers-disagree` is added, with the authority as span. No other function
 * reports this finding, because it takes three readings. Returns false without comparing anything
 * if the report was never filled, or if the input was not read because it is too long or the
 * policy unusable. Linear.
 */
URIVET_API bool urivet_readers_disagree(struct urivet_text input, char *buffer, size_t capacity,
                                        enum urivet_reader pair[2], struct urivet_report *report,
                                        const struct urivet_policy *policy);

#ifdef __cplusplus
}
#endif

#endif
