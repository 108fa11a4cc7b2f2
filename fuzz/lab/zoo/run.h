/* SPDX-License-Identifier: Apache-2.0 */
/* A reader as a program: reads records that end in NUL, writes a line of columns for each. */
#ifndef ZOO_RUN_H
#define ZOO_RUN_H

const char *reader_version(void);
void read_record(const char *text, size_t length);

static bool told;

static inline void tell(const struct reading *reading)
{
	if (told)
		return;
	told = true;
	write_reading(stdout, reading);
	putchar('\n');
}

/* Reads the next record. getdelim() includes the NUL. Returns false at the end. */
static inline bool next_record(char **text, size_t *size, size_t *length)
{
	ssize_t got = getdelim(text, size, '\0', stdin);

	if (got < 0)
		return false;
	*length = (size_t)got;
	if ((*text)[*length - 1] == '\0' && *length > 0)
		--*length;
	return true;
}

int main(int argc, char **argv)
{
	char *text = NULL;
	size_t size = 0;
	size_t length;

	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		puts(reader_version());
		return 0;
	}
	while (next_record(&text, &size, &length)) {
		told = false;
		read_record(text, length);
		if (!told)
			puts(REFUSAL);
	}
	free(text);
	return fflush(stdout) != 0;
}

#endif
