/*
 * copy.c - copies SRC to DST byte by byte as they are: copy [WORD...] SRC DST
 *
 * Words: `memory` no more memory from now on, `numbers` the files must get 0 and 1, `replace` DST
 * becomes descriptor 2, `close` descriptor 2 is closed, `chdir` to / first, `status` says what
 * libnocache does with SRC. Exit status 7 where all went well, so that it is seen to be kept.
 */
#include "nocache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WELL = 7 };

static char buffer[100000];
static int numbers, replace;

static void must(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

static void no_more_memory(void)
{
	struct rlimit limit = {1, 1};

	must(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
}

static void status(const char *path)
{
	int fd = open(path, O_RDONLY);
	const char *policy = "none", *reason = "none";

	if (nocache_status)
		nocache_status(fd, &policy, &reason);
	printf("%s %s\n", policy, reason);
	fflush(stdout);
	close(fd);
}

static void word(const char *name, const char *src)
{
	numbers |= strcmp(name, "numbers") == 0;
	replace |= strcmp(name, "replace") == 0;
	if (strcmp(name, "memory") == 0)
		no_more_memory();
	if (strcmp(name, "close") == 0)
		close(2);
	if (strcmp(name, "chdir") == 0)
		must(chdir("/") == 0, "chdir");
	if (strcmp(name, "status") == 0)
		status(src);
}

static void copy(int in, int out)
{
	ssize_t n;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		must(write(out, buffer, n) == n, "write");
	must(n == 0, "read");
}

int main(int argc, char **argv)
{
	int in, out;

	must(argc > 2, "usage");
	for (int i = 1; i < argc - 2; i++)
		word(argv[i], argv[argc - 2]);
	in = open(argv[argc - 2], O_RDONLY);
	must(in >= 0, argv[argc - 2]);
	out = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	must(out >= 0, argv[argc - 1]);
	if (numbers && (in != 0 || out != 1))
		return 1;
	if (replace) {
		must(dup2(out, 2) == 2 && close(out) == 0, "dup2");
		out = 2;
	}
	copy(in, out);
	must(close(in) == 0 && close(out) == 0, "close");
	return WELL;
}
