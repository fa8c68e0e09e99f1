/*
 * slices.h - one large call of the program as a series of smaller ones.
 *
 * A single read(2) of a gigabyte would hold a gigabyte of page cache before it returns. So large
 * transfers of managed files are cut, exactly: the range is reserved on the description first
 * (lseek(2) with SEEK_CUR is atomic, fs/read_write.c, f_pos_lock), then moved piece by piece at
 * explicit offsets, while signals wait (signals.h). Where that would not be exact the caller
 * forwards the call untouched: also a write at an offset that another process may share
 * (file_is_passed()).
 */
#ifndef NOCACHE_SLICES_H
#define NOCACHE_SLICES_H

#include "engine.h"
#include "verdict.h"

enum { SLICE = 2 * 1024 * 1024 };

/*
 * Reads or writes `n` bytes at `offset`, or at the description's offset where that is -1.
 * Returns the bytes moved, -errno, or FORWARD. Counting is done inside.
 */
ssize_t slices_read(struct file *file, int fd, void *buffer, size_t n, int64_t offset);
ssize_t slices_write(struct file *file, int fd, const void *buffer, size_t n, int64_t offset);

/* Whether a transfer of `n` bytes is worth cutting. */
static inline bool slices_wanted(const struct file *file, size_t n)
{
	return n > SLICE && file_policy(file) == POLICY_DONTNEED;
}

#endif
