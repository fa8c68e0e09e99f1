/* many.c - many files at once, a piece of each in turn: many write|read DIR FILES BYTES PIECE.
 * The files are DIR/0, DIR/1, ... of BYTES bytes of the pattern; all are open from start to end. */
#include "pattern.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		die("getrlimit");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		die("setrlimit");
}

static int *open_all(const char *dir, long files, int flags)
{
	int *fds = calloc(files, sizeof *fds);
	char path[4096];

	for (long i = 0; i < files; i++) {
		snprintf(path, sizeof path, "%s/%ld", dir, i);
		fds[i] = open(path, flags, 0644);
		if (fds[i] < 0)
			die(path);
	}
	return fds;
}

/* Moves the piece that is `right` at its offset to or from one file. */
static void move(int fd, int writes, const unsigned char *right, unsigned char *seen, size_t n)
{
	if (writes && write(fd, right, n) != (ssize_t)n)
		die("write");
	if (!writes && (read(fd, seen, n) != (ssize_t)n || memcmp(seen, right, n)))
		die("read, or a wrong byte");
}

int main(int argc, char **argv)
{
	int writes = argc > 1 && strcmp(argv[1], "write") == 0;

	if (argc != 6)
		return 2;
	long files = atol(argv[3]), bytes = atol(argv[4]), piece = atol(argv[5]);
	unsigned char *right = malloc(piece), *seen = malloc(piece);

	raise_limit();
	int *fds = open_all(argv[2], files, writes ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY);

	for (long at = 0; at + piece <= bytes; at += piece) {
		pattern_fill(right, piece, at);
		for (long i = 0; i < files; i++)
			move(fds[i], writes, right, seen, piece);
	}
	for (long i = 0; i < files; i++)
		if (close(fds[i]))
			die("close");
	return 0;
}
