/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between database texts and library texts. */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "text.h"

/* Returns true if texts need no conversion: they are UTF-8, or octets of unknown encoding. */
static bool is_read_as_it_is(void)
{
	return GetDatabaseEncoding() == PG_UTF8 || GetDatabaseEncoding() == PG_SQL_ASCII;
}

static bool is_ascii_text(const char *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (IS_HIGHBIT_SET(data[i]))
			return false;
	return true;
}

struct urivet_text argument_text(FunctionCallInfo fcinfo, int argument, uint32 most)
{
	struct varlena *value = (struct varlena *)PG_GETARG_POINTER(argument);
	struct urivet_text text;

	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
		value = pg_detoast_datum_slice(value, 0, (int32)most + 1);
	text = urivet_text_of(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
	if (text.length > (size_t)most + 1)
		text.length = (size_t)most + 1;
	if (text.length > most || is_read_as_it_is() || is_ascii_text(text.data, text.length))
		return text;
	text.data = pg_server_to_any(text.data, (int)text.length, PG_UTF8);
	text.length = strlen(text.data);
	return text;
}

Datum text_datum(struct urivet_text text)
{
	const char *octets = text.data != NULL ? text.data : "";
	int length = text.data != NULL ? (int)text.length : 0;
	char *converted;

	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		return PointerGetDatum(cstring_to_text_with_len(octets, length));
	converted = pg_any_to_server(octets, length, PG_UTF8);
	if (converted != octets)
		return PointerGetDatum(cstring_to_text(converted));
	return PointerGetDatum(cstring_to_text_with_len(octets, length));
}

Datum string_datum(const char *string)
{
	return text_datum(urivet_text_of(string, string != NULL ? strlen(string) : 0));
}
