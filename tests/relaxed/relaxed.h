/*
 * relaxed.h - what the programs here share: looking at a file past the library, and tiny requests.
 *
 * Each runs bare and under `direct,relaxed`. Exit status: 0 right, 1 wrong with a line on stderr.
 * With RELAXED set in the environment bytes must also be held back: else nothing is tested.
 */
#ifndef RELAXED_H
#define RELAXED_H

#include "../oracle/raw.h"
#include "../progs/prog.h"

enum { TINY = 128, TIMES = 100 };

static inline long long raw_size(int fd)
{
	struct statx st;

	must(raw_stat(fd, &st) == 0, "statx");
	return (long long)st.stx_size;
}

static inline long long raw_offset(int fd)
{
	return raw_lseek(fd, 0, SEEK_CUR);
}

static inline int is_relaxed(void)
{
	return getenv("RELAXED") != NULL;
}

/* Writes bytes of the pattern up to `to`, `n` at a time. */
static inline void write_tiny(int fd, long long from, long long to, size_t n)
{
	unsigned char some[65536];

	for (; from < to; from += n) {
		if ((long long)n > to - from)
			n = to - from;
		pattern_fill(some, n, from);
		must(write(fd, some, n) == (ssize_t)n, "write");
	}
}

static inline void read_tiny(int fd, long long from, long long to, size_t n)
{
	unsigned char some[65536];

	for (; from < to; from += n) {
		if ((long long)n > to - from)
			n = to - from;
		must(read(fd, some, n) == (ssize_t)n, "read");
		must_match(some, n, from);
	}
}

/* The file has the first `size` bytes of the pattern, as others see it. */
static inline void must_be_there(int fd, long long size)
{
	static unsigned char all[65536];
	long long at = 0;
	long n;

	must(raw_size(fd) == size, "the size is not that of what was written");
	while ((n = raw_pread(fd, all, sizeof(all), at)) > 0) {
		must_match(all, n, at);
		at += n;
	}
	must(at == size, "it cannot be read to its end");
}

#endif
