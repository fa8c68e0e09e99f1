/*
 * unaligned.h - requests of a program that asked for O_DIRECT itself and does not keep to its
 * alignment: the kernel refuses them with EINVAL (open(2), O_DIRECT), `auto` and `direct` do not.
 */
#ifndef NOCACHE_UNALIGNED_H
#define NOCACHE_UNALIGNED_H

#include "engine.h"
#include "sys.h"
#include "verdict.h"

#include <sys/uio.h>

enum unaligned { UNALIGNED_READ, UNALIGNED_WRITE };

enum { SECTOR_LEAST = 512 };

/*
 * Whether a write of `n` bytes will be refused like one before it: no sector is smaller. To ask
 * the kernel first would have it write out the dirty pages there before it refuses. For a length
 * that no memory has write(2) and pwritev2(2), by which it is served, have different errors.
 */
static inline bool unaligned_surely(const struct file *file, size_t n)
{
	return file->served && n % SECTOR_LEAST && n <= SYS_CALL_MOST &&
	       atomic_load_explicit(&file->own_direct, memory_order_relaxed);
}

/*
 * Serves a request that was refused: the same buffers at `offset` (-1: the description's own)
 * with the flags of preadv2(2). The bytes go through the page cache by a twin of the file that is
 * not O_DIRECT (twin.h); not where there are POSIX record locks on it. Returns bytes, -errno or
 * FORWARD. The caller counts.
 */
ssize_t unaligned_serve(struct file *file, int fd, enum unaligned direction,
			const struct iovec *iov, int count, int64_t offset, int flags);

#endif
