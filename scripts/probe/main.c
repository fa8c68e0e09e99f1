/*
 * main.c - what a directory's file system and this kernel offer, found out by trying.
 *
 *   nocache-probe [-j] PATH
 *
 * Run by `nocache --probe`.
 */
#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *where;
char *memory;

void fail(const char *what, int error)
{
	fprintf(stderr, "nocache: %s: %s%s%s\n", where, what, error ? ": " : "",
		error ? strerror(error) : "");
	exit(1);
}

/* The directory that is meant: that of a file which is named. */
static const char *directory_of(const char *path)
{
	struct stat st;
	char *copy, *slash;

	if (stat(path, &st) != 0)
		fail("cannot be probed", errno);
	if (S_ISDIR(st.st_mode))
		return path;
	copy = strdup(path);
	slash = copy ? strrchr(copy, '/') : NULL;
	if (!slash)
		return ".";
	slash[slash == copy] = '\0';
	return copy;
}

int main(int argc, char **argv)
{
	bool json = argc == 3 && !strcmp(argv[1], "-j");
	struct facts facts = {.fs = "-"};
	struct job jobs[JOBS];

	if (argc != 2 + json) {
		fputs("usage: nocache-probe [-j] PATH\n", stderr);
		return 2;
	}
	where = argv[argc - 1];
	where = directory_of(where);
	memory = aligned_alloc(2 * 1024 * 1024, FILL + 2 * 1024 * 1024);
	if (!memory)
		fail("no memory", ENOMEM);
	memset(memory, 'n', FILL);
	try_all(&facts);
	choices(&facts, jobs);
	if (json)
		print_json(&facts, jobs);
	else
		print_text(&facts, jobs);
	return fflush(stdout) == 0 ? 0 : 1;
}
