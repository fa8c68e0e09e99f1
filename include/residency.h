/*
 * residency.h - which pages of a file are in the page cache.
 *
 * cachestat(2) where it can be believed, else mincore(2) over a temporary read-only mapping;
 * where neither may be asked the answer is RESIDENCY_UNKNOWN and never a guess (mincore says
 * "all" to who neither owns nor may write the file, mm/mincore.c, can_do_mincore()).
 */
#ifndef NOCACHE_RESIDENCY_H
#define NOCACHE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

enum { RESIDENCY_UNKNOWN = -1 };

/* How a file's residency can be asked; found out once an open file description. */
enum probe { PROBE_NONE, PROBE_CACHESTAT, PROBE_MINCORE };

enum { MINCORE_FIRST = 64 * 1024 * 1024 };

/*
 * Finds the way to ask about `fd`, and asks it how much of the first `length` bytes is cached;
 * mincore of no more than MINCORE_FIRST, since its cost grows with the range, 6 us a MiB, cached
 * or not. `blind`: its file system is known to mislead cachestat; `owner`: the file's owner,
 * stx_uid.
 */
enum probe residency_first(int fd, bool blind, uint32_t owner, int64_t length, int64_t *cached);

/* Bytes of the range that are cached (whole pages), or RESIDENCY_UNKNOWN. Offsets page-aligned. */
int64_t residency_bytes(enum probe probe, int fd, int64_t offset, int64_t length);

/*
 * Whether the range looks cached (bytes that are, or RESIDENCY_UNKNOWN), for who may read a file
 * but not ask about it: by reads of a few pages with RWF_NOWAIT, preadv2(2). Where one is not there
 * the read of it begins, which may be over by the time that the kernel looks again: hence the few.
 */
int64_t residency_by_reading(int fd, int64_t offset, int64_t length);

/* Bytes of the range that wait for, or are in, write-out, or RESIDENCY_UNKNOWN. */
int64_t residency_unwritten(enum probe probe, int fd, int64_t offset, int64_t length);

/*
 * Sets bit i of `bits` where page i of the range is cached; at most 64 * `words` pages.
 * Returns false where it cannot be known: no right to ask, or not open for reading.
 */
bool residency_map(enum probe probe, int fd, int64_t offset, int64_t length, uint64_t *bits,
		   int words);

#endif
