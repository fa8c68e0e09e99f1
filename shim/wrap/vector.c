/*
 * vector.c - calls that move bytes between a descriptor and several pieces of memory.
 *
 * A vector may be unreadable, which is the kernel's to say: it is copied before it is looked into,
 * and only where it may be moved past the cache.
 */
#include "direct.h"
#include "dontcache.h"
#include "transfer.h"

#include "sys.h"

/* Bytes that a vector is taken to have before it is looked into, and buffers of one that is. */
enum { VECTOR_GUESS = 64 * 1024, VECTOR_MOST = 16 };

/* Copies a vector that is not too long and can be read. */
static bool copied(const struct iovec *iov, int count, struct iovec *copy)
{
	return count > 0 && count <= VECTOR_MOST &&
	       sys_peek(iov, copy, (size_t)count * sizeof(*iov)) == count * (long)sizeof(*iov);
}

/* Vectors of any number, with any flags of the program's own. */
static bool uncached_here(struct file *file, int fd, const struct iovec *iov, int count,
			  int64_t offset, int flags, ssize_t *moved,
			  ssize_t (*transfer)(struct file *, int, const struct iovec *, int,
					      int64_t, int))
{
	struct iovec copy[VECTOR_MOST];
	ssize_t done;
	int type;

	if (!file_may_dontcache(file) || !copied(iov, count, copy))
		return false;
	type = cancel_now_or_later();
	done = transfer(file, fd, copy, count, offset, flags);
	cancel_as(type);
	return here(done, moved);
}

static bool readv_here(struct file *file, int fd, const struct iovec *iov, int count,
		       int64_t offset, int flags, ssize_t *moved)
{
	struct iovec copy[VECTOR_MOST];
	ssize_t done;
	int type;

	if (uncached_here(file, fd, iov, count, offset, flags, moved, dontcache_read))
		return true;
	if (!direct_wants_read(file, VECTOR_GUESS) || flags || !copied(iov, count, copy))
		return false;
	type = cancel_now_or_later();
	done = direct_read(file, fd, copy, count, offset);
	cancel_as(type);
	return here(done, moved);
}

static bool writev_here(struct file *file, int fd, const struct iovec *iov, int count,
			int64_t offset, int flags, ssize_t *moved)
{
	struct iovec one;
	ssize_t done;
	int type;

	if (uncached_here(file, fd, iov, count, offset, flags, moved, dontcache_write))
		return true;
	if (!direct_wants_writes(file) || flags || count != 1 ||
	    sys_peek(iov, &one, sizeof(one)) != sizeof(one))
		return false;
	type = cancel_now_or_later();
	done = direct_write(file, fd, one.iov_base, one.iov_len, offset);
	cancel_as(type);
	return here(done, moved);
}

/*
 * `at` is the offset of the transfer, -1 for the description's own; below `least` it is an error,
 * for -1 means that only to the calls with flags (readv(2)).
 */
#define READV(name, parameters, arguments, at, least, flags)                                       \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
		int error = result_error();                                                        \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file || (at) < (least))                                                       \
			return next.name arguments;                                                \
		if (readv_here(file, fd, iov, count, at, flags, &moved))                           \
			return moved;                                                              \
		engine_reads(file, fd, at, VECTOR_GUESS);                                          \
		moved = next.name arguments;                                                       \
		return did_read(file, fd, iov, count, at, flags, moved, error);                    \
	}

#define WRITEV(name, parameters, arguments, at, least, flags)                                      \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
		int error = result_error();                                                        \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file || (at) < (least))                                                       \
			return next.name arguments;                                                \
		if (writev_here(file, fd, iov, count, at, flags, &moved))                          \
			return moved;                                                              \
		moved = next.name arguments;                                                       \
		return did_write(file, fd, iov, count, at, flags, moved, error);                   \
	}

#define IOV int fd, const struct iovec *iov, int count

READV(readv, (IOV), (fd, iov, count), -1, -1, 0)
READV(preadv, (IOV, off_t at), (fd, iov, count, at), at, 0, 0)
READV(preadv64, (IOV, off64_t at), (fd, iov, count, at), at, 0, 0)
READV(preadv2, (IOV, off_t at, int flags), (fd, iov, count, at, flags), at, -1, flags)
READV(preadv64v2, (IOV, off64_t at, int flags), (fd, iov, count, at, flags), at, -1, flags)
WRITEV(writev, (IOV), (fd, iov, count), -1, -1, 0)
WRITEV(pwritev, (IOV, off_t at), (fd, iov, count, at), at, 0, 0)
WRITEV(pwritev64, (IOV, off64_t at), (fd, iov, count, at), at, 0, 0)
WRITEV(pwritev2, (IOV, off_t at, int flags), (fd, iov, count, at, flags), at, -1, flags)
WRITEV(pwritev64v2, (IOV, off64_t at, int flags), (fd, iov, count, at, flags), at, -1, flags)
