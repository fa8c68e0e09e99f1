/*
 * direct.h - bytes moved past the page cache, by O_DIRECT on private descriptions.
 *
 * The program's descriptors are never made direct. A second description of the file is opened by
 * /proc/self/fd (proc(5)) for the length of one call and closed in it; not for a file on which
 * the process holds POSIX record locks, which that close would drop (fcntl(2)). Only whole blocks
 * are moved so: what is not aligned, and whatever a direct transfer refuses or leaves undone, is
 * the caller's to move through the program's own descriptor, with the kernel's own result.
 */
#ifndef NOCACHE_DIRECT_H
#define NOCACHE_DIRECT_H

#include "file.h"

#include <stdbool.h>
#include <stdint.h>

/* One end of a copy, at an absolute offset. */
struct direct_end {
	struct file *file;
	int fd;
	int64_t at;
};

/*
 * Copies the whole blocks of `n` bytes from `in` to `out`, up to the end of `in`, and moves both
 * offsets along. Returns the bytes copied; 0 where the two files or offsets do not suit. The
 * descriptions' own offsets are not touched. Counted as direct and bounced.
 */
int64_t direct_copy(struct direct_end *in, struct direct_end *out, int64_t n);

#endif
