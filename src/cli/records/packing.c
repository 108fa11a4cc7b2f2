/* SPDX-License-Identifier: Apache-2.0 */
/* The magic numbers of file formats. */
#include "cli/records/packing.h"
#include "common/text/output.h"

/* clang-format off */
static const struct packing packings[] = {
	{0, "\x1F\x8B", 2, 0, NULL, "compressed by gzip", "gzip -dc", PACKED_GZIP},
	{0, "\x28\xB5\x2F\xFD", 4, 0, NULL, "compressed by zstd", "zstd -dc", PACKED_ZSTD},
	/* skippable frames; some tools write one at the start of a file */
	{0x0F, "\x50\x2A\x4D\x18", 4, 0, NULL, "compressed by zstd", "zstd -dc", PACKED_ZSTD},
	{0, "BZh", 3, 4, "1AY&SY", "compressed by bzip2", "bzip2 -dc", PACKED_OTHERWISE},
	{0, "\xFD" "7zXZ", 5, 0, NULL, "compressed by xz", "xz -dc", PACKED_OTHERWISE},
	{0, "PK\x03\x04", 4, 0, NULL, "a ZIP archive", "unzip -p", PACKED_OTHERWISE},
	{0, "\xFF\xFE", 2, 0, NULL, "UTF-16", "iconv -f UTF-16 -t UTF-8", PACKED_OTHERWISE},
	{0, "\xFE\xFF", 2, 0, NULL, "UTF-16", "iconv -f UTF-16 -t UTF-8", PACKED_OTHERWISE},
};
/* clang-format on */

#define PACKINGS (sizeof packings / sizeof packings[0])

/* Returns true if the text has these octets at that position, as far as it reaches. */
static bool agrees(struct octets start, size_t at, const char *octets, size_t length)
{
	if (start.length <= at)
		return true;
	if (length > start.length - at)
		length = start.length - at;
	return memcmp(start.data + at, octets, length) == 0;
}

static size_t second_length(const struct packing *packing)
{
	return packing->second != NULL ? strlen(packing->second) : 0;
}

static bool may_be(const struct packing *packing, struct octets start)
{
	return (start.length == 0 ||
		((start.data[0] ^ (uint8_t)packing->start[0]) & ~(unsigned)packing->any) == 0) &&
	       agrees(start, 1, packing->start + 1, packing->length - 1) &&
	       (packing->second == NULL ||
		agrees(start, packing->second_at, packing->second, second_length(packing)));
}

static size_t octets_of(const struct packing *packing)
{
	return packing->second != NULL ? packing->second_at + second_length(packing)
				       : packing->length;
}

const struct packing *packing_of(struct octets start)
{
	for (size_t i = 0; i < PACKINGS; i++) {
		if (start.length >= octets_of(&packings[i]) && may_be(&packings[i], start))
			return &packings[i];
	}
	return NULL;
}

/* Detects ASCII text in UTF-16: every other octet is NUL. */
static const struct packing *bare_utf16(struct octets start)
{
	/* clang-format off */
	static const struct packing orders[] = {
		{0, "", 0, 0, NULL, "UTF-16", "iconv -f UTF-16BE -t UTF-8", PACKED_OTHERWISE},
		{0, "", 0, 0, NULL, "UTF-16", "iconv -f UTF-16LE -t UTF-8", PACKED_OTHERWISE},
	};
	/* clang-format on */
	size_t nul[2] = {0, 0};

	if (start.length < PACKING_MOST)
		return NULL;
	for (size_t i = 0; i < PACKING_MOST; i++)
		nul[i & 1] += start.data[i] == 0;
	if (nul[0] + nul[1] != PACKING_MOST / 2 || (nul[0] != 0 && nul[1] != 0))
		return NULL;
	return &orders[nul[0] == 0];
}

const struct packing *packing_of_file(struct octets start, bool nul_ends)
{
	const struct packing *packing = packing_of(start);

	return packing == NULL && !nul_ends ? bare_utf16(start) : packing;
}

bool packing_is_open(struct octets start)
{
	for (size_t i = 0; i < PACKINGS; i++) {
		if (start.length < octets_of(&packings[i]) && may_be(&packings[i], start))
			return true;
	}
	return false;
}

bool is_unpacked(const char *name, const struct packing *packing)
{
	return packing == NULL || complain("cannot read '%s': it is %s; '%s' makes text of it", name,
					   packing->what, packing->reader);
}

void hint_at_packing(const char *name, struct octets start)
{
	const struct packing *packing = packing_of(start);

	if (packing != NULL)
		complain(
		    "hint: '%s' seems to be %s, and its octets were read as they are; %s%s%s makes "
		    "text of it",
		    name, packing->what, packing->kind == PACKED_OTHERWISE ? "'" : "",
		    packing->kind == PACKED_OTHERWISE ? packing->reader : "--decompress",
		    packing->kind == PACKED_OTHERWISE ? "'" : "");
}
