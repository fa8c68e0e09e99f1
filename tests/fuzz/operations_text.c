/* operations_text.c - the text of an input. */
#include "operations.h"

#include <stdlib.h>
#include <string.h>

/* Small windows and blocks, so that short lists cross their ends. */
const char *const operations_policies[POLICIES] = {
	"auto",
	"direct",
	"dontneed",
	"dontcache",
	"buffered",
	"noreuse",
	"dsync",
	"observe",
	"off",
	"direct,relaxed",
	"direct,relaxed,block=64K",
	"direct,block=64K,depth=3",
	"dontneed,window=2M,nokeep",
	"size>=300K dontneed",
};

/* The line is "# POLICY". */
static const char *policy_of(const char *line)
{
	for (int i = 0; i < POLICIES; i++) {
		size_t n = strlen(operations_policies[i]);

		if (!strncmp(line, "# ", 2) && !strncmp(line + 2, operations_policies[i], n) &&
		    line[2 + n] == '\n')
			return operations_policies[i];
	}
	return operations_policies[0];
}

struct input operations_read(const uint8_t *text, size_t n)
{
	const char *only = getenv("FUZZ_POLICY");
	char *copy = calloc(n + 1, 1);
	FILE *from = n ? fmemopen(memcpy(copy, text, n), n, "r") : NULL;
	struct input input = {.policy = only ? only : policy_of(copy)};

	if (from) {
		list_read(&input.list, from);
		fclose(from);
	}
	free(copy);
	return input;
}

size_t operations_write(const struct input *input, uint8_t *text, size_t room)
{
	char *whole;
	size_t n;
	FILE *to = open_memstream(&whole, &n);

	fprintf(to, "# %s\n", input->policy);
	list_write(&input->list, to);
	fclose(to);
	n = n <= room ? n : 0;
	memcpy(text, whole, n);
	free(whole);
	return n;
}
