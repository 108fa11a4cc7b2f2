/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and writes time stamps without the locale and the time zone of the machine. */
#include "cli/records/moment.h"
#include <stdio.h>
#include <time.h>

/* A text and the position of the parser in it. */
struct reading {
	const uint8_t *data;
	size_t length;
	size_t at;
};

static bool take(struct reading *from, uint8_t octet)
{
	if (from->at == from->length || from->data[from->at] != octet)
		return false;
	from->at++;
	return true;
}

static bool digit_follows(const struct reading *from)
{
	return from->at < from->length && from->data[from->at] >= '0' &&
	       from->data[from->at] <= '9';
}

/* Reads exactly `digits` digits. Returns true if their value is from `least` to `most`. */
static bool take_number(struct reading *from, unsigned digits, int least, int most, int *number)
{
	*number = 0;
	for (; digits > 0; digits--) {
		if (!digit_follows(from))
			return false;
		*number = *number * 10 + (from->data[from->at++] - '0');
	}
	return *number >= least && *number <= most;
}

/* Adds the seconds from 1970 to a day. Returns false if its month has no such day. */
static bool add_day(int64_t *seconds, int year, int month, int day)
{
	struct tm date = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};

	*seconds += timegm(&date);
	return date.tm_mday == day;
}

/* Reads HH:MM and an optional :SS. A leap second counts as the next second. */
static bool take_clock(struct reading *from, int64_t *seconds, bool has_seconds)
{
	int hour, minute, second = 0;

	if (!take_number(from, 2, 0, 23, &hour) || !take(from, ':') ||
	    !take_number(from, 2, 0, 59, &minute))
		return false;
	if (take(from, ':') ? !take_number(from, 2, 0, 60, &second) : has_seconds)
		return false;
	*seconds += (int64_t)hour * 3600 + minute * 60 + second;
	return true;
}

static bool take_fraction(struct reading *from)
{
	if (!take(from, '.') && !take(from, ','))
		return true;
	if (!digit_follows(from))
		return false;
	while (digit_follows(from))
		from->at++;
	return true;
}

/* Reads Z, +HH:MM or +HHMM. A missing zone means UTC. */
static bool take_zone(struct reading *from, int64_t *seconds)
{
	const int sign = take(from, '+') ? -1 : take(from, '-') ? 1 : 0;
	int hours, minutes;

	if (sign == 0) {
		(void)(take(from, 'Z') || take(from, 'z'));
		return true;
	}
	if (!take_number(from, 2, 0, 23, &hours))
		return false;
	(void)take(from, ':');
	if (!take_number(from, 2, 0, 59, &minutes))
		return false;
	*seconds += sign * ((int64_t)hours * 3600 + (int64_t)minutes * 60);
	return true;
}

static bool take_time_of_day(struct reading *from, int64_t *seconds)
{
	return take_clock(from, seconds, false) && take_fraction(from) && take_zone(from, seconds);
}

/* Returns true if a time of day follows the space after a date. */
static bool has_time_of_day(const struct reading *from)
{
	struct reading ahead = *from;
	int64_t seconds = 0;

	return take(&ahead, ' ') && take_clock(&ahead, &seconds, false);
}

static bool take_iso(struct reading *from, int64_t *seconds)
{
	int year, month, day;

	if (!take_number(from, 4, 0, 9999, &year) || !take(from, '-') ||
	    !take_number(from, 2, 1, 12, &month) || !take(from, '-') ||
	    !take_number(from, 2, 1, 31, &day) || !add_day(seconds, year, month, day))
		return false;
	if (take(from, 'T') || take(from, 't') || (has_time_of_day(from) && take(from, ' ')))
		return take_time_of_day(from, seconds);
	return true;
}

static bool take_month(struct reading *from, int *month)
{
	static const char names[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

	for (*month = 1; *month <= 12; ++*month) {
		if (from->length - from->at >= 3 &&
		    memcmp(from->data + from->at, names[*month - 1], 3) == 0) {
			from->at += 3;
			return true;
		}
	}
	return false;
}

static bool take_common_log(struct reading *from, int64_t *seconds)
{
	int year, month, day;

	if (!take(from, '[') || !take_number(from, 2, 1, 31, &day) || !take(from, '/') ||
	    !take_month(from, &month) || !take(from, '/') ||
	    !take_number(from, 4, 0, 9999, &year) || !take(from, ':') ||
	    !add_day(seconds, year, month, day))
		return false;
	return take_clock(from, seconds, true) && take_fraction(from) && take(from, ' ') &&
	       take_zone(from, seconds) && take(from, ']');
}

static bool take_epoch(struct reading *from, int64_t *seconds)
{
	size_t digits = 0;

	for (*seconds = 0; digits < 14 && digit_follows(from); digits++)
		*seconds = *seconds * 10 + (from->data[from->at++] - '0');
	if (digits > 11)
		*seconds /= 1000;
	return digits > 0 && take_fraction(from);
}

/* Returns true if a blank or the end follows. Otherwise the digits belong to something else. */
static bool ends_here(const struct reading *from)
{
	return from->at == from->length || from->data[from->at] == ' ' ||
	       from->data[from->at] == '\t';
}

size_t moment_read(int64_t *seconds, struct octets text)
{
	static bool (*const forms[])(struct reading *, int64_t *) = {take_iso, take_common_log,
								     take_epoch};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct reading from = {.data = text.data, .length = text.length};

		if (from.length > MOMENT_MOST)
			from.length = MOMENT_MOST;
		*seconds = 0;
		if (forms[i](&from, seconds) && ends_here(&from) &&
		    (from.at < from.length || from.length == text.length))
			return from.at;
	}
	return 0;
}

void moment_write(char out[MOMENT_CAPACITY], int64_t seconds, unsigned parts)
{
	const time_t moment = (time_t)seconds;
	struct tm date = {0};
	int length;

	(void)gmtime_r(&moment, &date);
	length = snprintf(out, MOMENT_CAPACITY, "%0*d-%02d-%02d %02d:%02d:%02d",
			  date.tm_year < -1900 ? 5 : 4, date.tm_year + 1900, date.tm_mon + 1,
			  date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec);
	out[length - 3 * (6 - (int)parts)] = '\0';
}
