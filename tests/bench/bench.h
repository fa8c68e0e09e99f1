/* bench.h - what the measured programs share: clocks, the line they print, words of the pattern.
 * A program prints `bytes=N ns=N durable=N cpu=N` (nanoseconds; cpu: its own, user and system)
 * and ends with 0, or says on stderr what went wrong or which byte is wrong, and ends with 1. */
#ifndef BENCH_H
#define BENCH_H

#include "pattern.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { HUGE_PAGE = 2 << 20 };

struct work {
	int64_t start, cpu, ns, durable, bytes;
};

static inline void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerrorname_np(errno));
	exit(1);
}

static inline void wrong(int64_t at)
{
	fprintf(stderr, "WRONG byte near %" PRId64 "\n", at);
	exit(1);
}

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline void work_start(struct work *w)
{
	*w = (struct work){0};
	w->cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	w->start = clock_ns(CLOCK_MONOTONIC);
}

/* The work as its program sees it is done. */
static inline void work_done(struct work *w)
{
	w->ns = clock_ns(CLOCK_MONOTONIC) - w->start;
}

/* All of it is done: on disk, where that was asked for. */
static inline void work_print(struct work *w)
{
	w->durable = clock_ns(CLOCK_MONOTONIC) - w->start;
	printf("bytes=%" PRId64 " ns=%" PRId64 " durable=%" PRId64 " cpu=%" PRId64 "\n", w->bytes,
	       w->ns, w->durable, clock_ns(CLOCK_PROCESS_CPUTIME_ID) - w->cpu);
}

/* The eight bytes that belong at offset at, a multiple of eight. */
static inline uint64_t pattern_word(uint64_t at)
{
	return htole64((at / 8 + 1) * UINT64_C(0x9E3779B97F4A7C15));
}

/* The first and the last word of a block tell its place; looking at more would be measured. */
static inline void check_ends(const unsigned char *p, int64_t n, int64_t at)
{
	uint64_t first, last;

	if (n < 8 || at % 8 || n % 8)
		return;
	memcpy(&first, p, 8);
	memcpy(&last, p + n - 8, 8);
	if (first != pattern_word(at) || last != pattern_word(at + n - 8))
		wrong(at);
}

/* A block is the pattern from 0, but for its first word, which is that of its place. */
static inline void stamp(unsigned char *p, int64_t at)
{
	uint64_t word = pattern_word(at);

	memcpy(p, &word, 8);
}

/* Returns size bytes in huge pages, where there are any, already touched; a multiple of 2 MiB. */
static inline unsigned char *huge_buffer(size_t size)
{
	unsigned char *p = aligned_alloc(HUGE_PAGE, size);

	if (!p)
		die("memory");
	madvise(p, size, MADV_HUGEPAGE);
	memset(p, 1, size);
	return p;
}

#endif
