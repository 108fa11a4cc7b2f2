/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a column of URLs in Arrow's layout; its rows are the arguments: batch URL... */
#include <stdio.h>
#include <string.h>
#include <urivet.h>

int main(int count, char **argument)
{
	static char octets[65536];
	static struct urivet_report work;
	int32_t offsets[257] = {0};
	uint8_t bitmap[32];
	size_t rows = 0, accepted;
	for (int k = 1; k < count && rows < 256; k++, rows++) {
		const size_t length = strlen(argument[k]), at = (size_t)offsets[rows];
		if (length > sizeof octets - at)
			return 2;
		memcpy(octets + at, argument[k], length);
		offsets[rows + 1] = (int32_t)(at + length);
	}
	accepted = urivet_check_batch(octets, (size_t)offsets[rows], offsets, NULL, rows, NULL, bitmap, &work);
	for (size_t k = 0; k < rows; k++)
		printf("%s %s\n", bitmap[k / 8] >> k % 8 & 1 ? "accept" : "reject", argument[k + 1]);
	return accepted != rows;
}
