/* prog.h - what the tiny programs share.
 *
 * Each program is run in a directory that holds `src` (SIZE bytes of the pattern, cold, never to be
 * changed) and may write files there; those named dst* must end as bytes of the pattern (the suite
 * reads them from outside). Exit status: 0 right, 1 wrong with one line on stderr, 77
 * cannot be tried here. Its first line states the behaviour; its second, where it is `leaves: N`,
 * is the most bytes of any file of the directory that may be cached afterwards where the policy
 * drops (131072 where nothing is said), `leaves: any` promises nothing. What holds bare must hold
 * under every policy. */
#ifndef PROG_H
#define PROG_H

#include "pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SIZE_OF_SRC
#define SIZE_OF_SRC (16 << 20)
#endif

enum { SIZE = SIZE_OF_SRC, BLOCK = 100000, ANY_MODE = 0644 };

static inline void must(int ok, const char *what)
{
	if (ok)
		return;
	dprintf(2, "%s (errno %d, %s)\n", what, errno, strerror(errno));
	_exit(1);
}

/* The call must fail with exactly this errno. */
static inline void must_fail(long result, int expected, const char *what)
{
	must(result == -1 && errno == expected, what);
}

static inline void cannot(const char *why)
{
	dprintf(2, "%s\n", why);
	_exit(77);
}

/* The len bytes at p must be those of src at offset at. */
static inline void must_match(const void *p, size_t len, uint64_t at)
{
	must(pattern_check(p, len, at) == len, "wrong bytes");
}

static inline int open_src(void)
{
	int fd = open("src", O_RDONLY);

	must(fd >= 0, "open src");
	return fd;
}

/* Reads and checks len bytes, which are those at offset at, in blocks of an odd size. */
static inline void read_some(int fd, uint64_t at, size_t len)
{
	static __thread unsigned char buffer[BLOCK];

	while (len) {
		ssize_t n = read(fd, buffer, len < BLOCK ? len : BLOCK);

		must(n > 0, "read");
		must_match(buffer, n, at);
		at += n;
		len -= n;
	}
}

static inline void read_all(int fd)
{
	char more;

	read_some(fd, 0, SIZE);
	must(read(fd, &more, 1) == 0, "read at the end");
}

/* Writes len bytes that belong at offset at. */
static inline void write_some(int fd, uint64_t at, size_t len)
{
	static __thread unsigned char buffer[BLOCK];

	while (len) {
		size_t n = len < BLOCK ? len : BLOCK;

		pattern_fill(buffer, n, at);
		must(write(fd, buffer, n) == (ssize_t)n, "write");
		at += n;
		len -= n;
	}
}

static inline int create(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);

	must(fd >= 0, "create");
	return fd;
}

/* The named file must hold len bytes of the pattern. */
static inline void must_hold(const char *name, size_t len)
{
	struct stat st;
	int fd = open(name, O_RDONLY);

	must(fd >= 0 && fstat(fd, &st) == 0, name);
	must((size_t)st.st_size == len, "wrong size");
	read_some(fd, 0, len);
	must(close(fd) == 0, "close");
}

static inline void must_close(int fd)
{
	must(close(fd) == 0, "close");
	must_fail(fcntl(fd, F_GETFD), EBADF, "closed descriptor is still open");
}

/* Waits for a child, which must exit with 0. */
static inline void must_reap(pid_t pid)
{
	int status;

	must(pid > 0 && waitpid(pid, &status, 0) == pid, "waitpid");
	must(status == 0, "child failed");
}

#endif
