/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the writer: it never writes beyond the capacity, ends in a NUL if there is room, and
 * counts every octet. */
#include "support.h"

#include "text/out.h"

TestSuite(out, .timeout = 10);

Test(out, every_capacity)
{
	static const char digits[] = "0123456789";
	for (size_t capacity = 0; capacity <= 12; capacity++)
		for (size_t n = 0; n <= 10; n++) {
			char buffer[16];
			struct out o = {buffer, capacity, 0};
			const size_t kept = capacity == 0 ? 0 : n < capacity ? n : capacity - 1;
			memset(buffer, '#', sizeof buffer);
			for (size_t k = 0; k < n; k++)
				put(&o, (unsigned char)digits[k]);
			cr_expect(o.length == n);
			cr_expect(put_so_far(&o).end == kept);
			for (size_t k = 0; k <= n; k++)
				cr_expect(octet_put(&o, k) ==
					  (k < kept ? (unsigned char)digits[k] : AT_END));
			cr_expect(put_end(&o) == n);
			cr_expect(memcmp(buffer, digits, kept) == 0);
			if (capacity > 0)
				cr_expect(buffer[kept] == '\0');
			for (size_t k = capacity; k < sizeof buffer; k++)
				cr_expect(buffer[k] == '#', "%zu of %zu", k, capacity);
		}
}

/* Replaces octets at a position, and nothing else. */
Test(out, at_a_position)
{
	char buffer[8] = "#######";
	struct out o = {buffer, 5, 0};
	put_string(&o, "abcdef");
	cr_expect(o.length == 6);
	put_at(&o, 1, 'B');
	put_at(&o, 3, 'D');
	put_at(&o, 4, 'E');
	put_at(&o, 5, 'F');
	cr_expect(o.length == 6);
	put_end(&o);
	cr_expect_str_eq(buffer, "aBcD");
	cr_expect(buffer[5] == '#' && buffer[6] == '#');
	put_string(&o, "");
	cr_expect(o.length == 6);
}

/* Copies many octets at once, or zero: as many as fit. */
Test(out, copies)
{
	static const uint8_t octets[] = "abcdef";
	for (size_t capacity = 0; capacity < 10; capacity++)
		for (size_t size = 0; size <= 6; size++) {
			char buffer[12] = "###########";
			struct out o = {buffer, capacity, 0};
			const size_t room = capacity > 0 ? capacity - 1 : 0, kept = size < room ? size : room;
			put_copy(&o, octets, size);
			put_copy(&o, NULL, 0);
			cr_expect(o.length == size && memcmp(buffer, octets, kept) == 0 && buffer[kept] == '#');
		}
}

/* Copies up to the end of the word, or up to the size of its field. */
Test(out, words_in_fields)
{
	char buffer[8];
	struct out o = {buffer, sizeof buffer, 0};
	put_octets(&o, "abcdef", 2);
	put_octets(&o, "gh", 3);
	put_end(&o);
	cr_expect_str_eq(buffer, "abgh");
}
