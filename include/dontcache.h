/*
 * dontcache.h - policy `dontcache`: the program's own transfers with RWF_DONTCACHE (readv(2)).
 *
 * The kernel then drops the pages that a transfer brought in, of a write once they are written
 * out. It drops whole folios: a small read has its folio read again by the next, so only large
 * transfers get the flag. Everything else, and what the kernel leaves behind, is stream.h's, whose
 * window bounds what is being written.
 *
 * Not all that accept the flag obey it, so its effect is looked for: a stream whose pages do not
 * go is left to stream.h. A write over pages that were cached before has no flag, since xfs drops
 * those too.
 */
#ifndef NOCACHE_DONTCACHE_H
#define NOCACHE_DONTCACHE_H

#include "file.h"
#include "verdict.h"

#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Transfers from here on have the flag: measured, less is slower than the stream's windows. */
enum { DONTCACHE_READ_LEAST = 2 * 1024 * 1024, DONTCACHE_WRITE_LEAST = 128 * 1024 };

/* Whether this kernel is recent enough: before Linux 6.16 the flag is not used. */
bool dontcache_trusted(void);

/* The rule of the file asks for it; the record notes why it cannot be had. */
void dontcache_begin(struct file *file, int fd);

/* Whether a transfer of `n` bytes is worth asking about. */
static inline bool dontcache_wants_read(const struct file *file, size_t n)
{
	return file_may_dontcache(file) && n >= DONTCACHE_READ_LEAST;
}

static inline bool dontcache_wants_write(const struct file *file, size_t n)
{
	return file_may_dontcache(file) && n >= DONTCACHE_WRITE_LEAST;
}

/*
 * The program's transfer, at `offset` or (-1) at the description's own, with its own RWF_ flags
 * and ours. Returns the bytes moved, -errno, or FORWARD. Counts what it moved.
 */
ssize_t dontcache_read(struct file *file, int fd, const struct iovec *iov, int count,
		       int64_t offset, int flags);
ssize_t dontcache_write(struct file *file, int fd, const struct iovec *iov, int count,
			int64_t offset, int flags);

/*
 * A piece of a large call, which as a whole is worth the flag. Nothing is counted. A read returns
 * FORWARD where it cannot have the flag, a write is then made without.
 */
ssize_t dontcache_read_piece(struct file *file, int fd, void *buffer, size_t n, int64_t offset);
ssize_t dontcache_write_piece(struct file *file, int fd, const void *buffer, size_t n,
			      int64_t offset);

#endif
