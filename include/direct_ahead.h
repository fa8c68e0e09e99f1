/*
 * direct_ahead.h - reading ahead of the program, as direct.h promises it.
 *
 * The caller holds `direct`.
 */
#ifndef NOCACHE_DIRECT_AHEAD_H
#define NOCACHE_DIRECT_AHEAD_H

#include "direct_file.h"

/* A read that is to be served: `n` bytes at `at`, of the file as `st` has just shown it. */
struct ahead {
	int fd;
	const struct statx *st;
	int64_t at;
	int64_t n;
};

/* Whether the bytes can come past the cache; the pipeline then stands where the read begins. */
bool ahead_prepare(struct direct *direct, const struct ahead *ahead);

/* Whether a read at `at` goes on with what came before, or begins at the start of the file. */
bool ahead_is_stream(const struct direct *direct, int64_t at);

/*
 * `n` bytes have come by direct reads. Some file systems take these and read through the cache all
 * the same (btrfs where it compresses), which shows in pages that nothing else can have brought in:
 * then those were the last.
 */
void ahead_prove(struct direct *direct, int fd, int64_t at, int64_t n);

/* The program read `n` bytes at `at`, past the cache or through it. */
void ahead_follow(struct direct *direct, int64_t at, int64_t n);

#endif
