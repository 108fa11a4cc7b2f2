/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a harness without a fuzzer over files and folders: each file as a whole, and each of its
 * lines. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static unsigned long inputs;

static void fail(const char *path)
{
	perror(path);
	exit(2);
}

/* Runs a copy of the exact size, so that a sanitizer detects one octet too many. */
static void run(const char *data, size_t length)
{
	uint8_t *copy = malloc(length > 0 ? length : 1);
	if (copy == NULL)
		fail("memory");
	if (length > 0)
		memcpy(copy, data, length);
	LLVMFuzzerTestOneInput(copy, length);
	free(copy);
	inputs++;
}

static void run_file(const char *path)
{
	static char data[1 << 22];
	FILE *file = fopen(path, "rb");
	size_t length;
	if (file == NULL)
		fail(path);
	length = fread(data, 1, sizeof data, file);
	fclose(file);
	run(data, length);
	for (size_t at = 0; at < length;) {
		const char *end = memchr(data + at, '\n', length - at);
		const size_t stop = end != NULL ? (size_t)(end - data) : length;
		run(data + at, stop - at);
		at = stop + 1;
	}
}

/* Recurses into folders; the depth is that of the corpus. */
static void run_path(const char *path)
{
	struct stat status;
	DIR *folder;
	if (stat(path, &status) != 0)
		fail(path);
	if (!S_ISDIR(status.st_mode)) {
		run_file(path);
		return;
	}
	folder = opendir(path);
	if (folder == NULL)
		fail(path);
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		char below[4096];
		if (entry->d_name[0] == '.')
			continue;
		if ((size_t)snprintf(below, sizeof below, "%s/%s", path, entry->d_name) <
		    sizeof below)
			run_path(below);
	}
	closedir(folder);
}

int main(int argc, char **argv)
{
	for (int k = 1; k < argc; k++) {
		const unsigned long before = inputs;
		run_path(argv[k]);
		if (inputs == before) {
			fprintf(stderr, "%s: %s: no input there\n", argv[0], argv[k]);
			return 1;
		}
	}
	printf("%s: %lu inputs\n", argv[0], inputs);
	return inputs == 0;
}
