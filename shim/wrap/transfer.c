/* transfer.c - calls that move bytes between a descriptor and memory. */
#include "direct.h"
#include "dontcache.h"
#include "slices.h"
#include "unaligned.h"
#include "wrap.h"

#include "sys.h"

#include <errno.h>

/* Policy dsync: a write returns when its bytes are durable, or fails like an O_DSYNC write. */
static ssize_t durable(const struct file *file, int fd, ssize_t written)
{
	long synced;

	if (written <= 0 || file->policy != POLICY_DSYNC)
		return written;
	synced = sys_datasync(fd);
	return sys_failed(synced) ? result(synced) : written;
}

/*
 * What a call returned, unless it was a refused direct request that can be served after all.
 * `error` is errno from before the call.
 */
static ssize_t served(struct file *file, int fd, enum unaligned direction, const struct iovec *iov,
		      int count, int64_t offset, int flags, ssize_t moved, int error)
{
	ssize_t again;

	if (moved > 0 && atomic_load_explicit(&file->own_direct, memory_order_relaxed))
		file_count(file, COUNT_direct, (uint64_t)moved);
	if (moved != -1 || result_error() != EINVAL)
		return moved;
	again = unaligned_serve(file, fd, direction, iov, count, offset, flags);
	if (again == FORWARD)
		return moved;
	result_restore(error);
	return result(again);
}

static ssize_t did_read(struct file *file, int fd, const struct iovec *iov, int count,
			int64_t offset, int flags, ssize_t moved, int error)
{
	moved = served(file, fd, UNALIGNED_READ, iov, count, offset, flags, moved, error);
	return engine_did_read(file, fd, moved);
}

static ssize_t did_write(struct file *file, int fd, const struct iovec *iov, int count,
			 int64_t offset, int flags, ssize_t moved, int error)
{
	moved = served(file, fd, UNALIGNED_WRITE, iov, count, offset, flags, moved, error);
	engine_did_write(file, fd, offset < 0 ? -1 : offset + moved, moved);
	return durable(file, fd, moved);
}

/*
 * Calls that libc would make a cancellation point stay one (pthreads(7)), and in the middle of what
 * is carried out here nobody is cancelled: what is held then would be held for ever.
 */
static int cancel_now_or_later(void)
{
	int type = PTHREAD_CANCEL_DEFERRED;

	if (next_setcanceltype)
		next_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	if (next_testcancel)
		next_testcancel();
	return type;
}

static void cancel_as(int type)
{
	if (next_setcanceltype)
		next_setcanceltype(type, NULL);
}

/* Past the cache or by pieces; FORWARD where neither is worth it. */
static ssize_t read_exactly(struct file *file, int fd, void *buffer, size_t n, int64_t offset)
{
	struct iovec iov = {buffer, n};
	ssize_t done = FORWARD;
	int type;

	if (!direct_wants_read(file, n) && !slices_wanted(file, n) &&
	    !dontcache_wants_read(file, n))
		return FORWARD;
	type = cancel_now_or_later();
	if (direct_wants_read(file, n))
		done = direct_read(file, fd, &iov, 1, offset);
	if (done == FORWARD && slices_wanted(file, n))
		done = slices_read(file, fd, buffer, n, offset);
	if (done == FORWARD && dontcache_wants_read(file, n))
		done = dontcache_read(file, fd, &iov, 1, offset, 0);
	cancel_as(type);
	return done;
}

static ssize_t write_unaligned(struct file *file, int fd, const void *buffer, size_t n,
			       int64_t offset)
{
	struct iovec iov = {(void *)buffer, n};
	ssize_t done = unaligned_serve(file, fd, UNALIGNED_WRITE, &iov, 1, offset, 0);

	if (done != FORWARD)
		engine_did_write(file, fd, offset < 0 ? -1 : offset + done, done);
	return done;
}

static ssize_t write_exactly(struct file *file, int fd, const void *buffer, size_t n,
			     int64_t offset)
{
	struct iovec iov = {(void *)buffer, n};
	ssize_t done = FORWARD;
	int type;

	if (!direct_wants_writes(file) && !slices_wanted(file, n) && !unaligned_surely(file, n) &&
	    !dontcache_wants_write(file, n))
		return FORWARD;
	type = cancel_now_or_later();
	if (direct_wants_writes(file))
		done = direct_write(file, fd, buffer, n, offset);
	if (done == FORWARD && slices_wanted(file, n))
		done = slices_write(file, fd, buffer, n, offset);
	if (done == FORWARD && dontcache_wants_write(file, n))
		done = dontcache_write(file, fd, &iov, 1, offset, 0);
	if (done == FORWARD && unaligned_surely(file, n))
		done = write_unaligned(file, fd, buffer, n, offset);
	cancel_as(type);
	return done;
}

/* Whether a call was carried out here instead of being forwarded; then, what it returns. */
static bool here(ssize_t done, ssize_t *moved)
{
	if (done == FORWARD)
		return false;
	*moved = result(done);
	return true;
}

static bool read_here(struct file *file, int fd, void *buffer, size_t n, int64_t offset,
		      ssize_t *moved)
{
	ssize_t done = FORWARD;

	if (offset < 0 && relaxed_concerns(file))
		done = relaxed_read(file, fd, buffer, n);
	if (done == FORWARD)
		done = read_exactly(file, fd, buffer, n, offset);
	return here(done, moved);
}

static bool write_here(struct file *file, int fd, const void *buffer, size_t n, int64_t offset,
		       ssize_t *moved)
{
	ssize_t done = FORWARD;

	if (offset < 0 && relaxed_concerns(file))
		done = relaxed_write(file, fd, buffer, n);
	if (done == FORWARD)
		done = write_exactly(file, fd, buffer, n, offset);
	return here(done, moved);
}

/* With one buffer. `at` is the offset of the transfer, -1 for the description's own. */
#define READ(name, parameters, arguments, at, least)                                               \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct iovec iov = {buffer, n};                                                    \
		struct file *file = (least) < 0 ? met(fd) : managed(fd);                           \
		int error = result_error();                                                        \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file || (at) < (least))                                                       \
			return next.name arguments;                                                \
		if (read_here(file, fd, buffer, n, at, &moved))                                    \
			return moved;                                                              \
		engine_reads(file, fd, at, n);                                                     \
		moved = next.name arguments;                                                       \
		return did_read(file, fd, &iov, 1, at, 0, moved, error);                           \
	}

#define WRITE(name, parameters, arguments, at, least)                                              \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct iovec iov = {(void *)buffer, n};                                            \
		struct file *file = (least) < 0 ? met(fd) : managed(fd);                           \
		int error = result_error();                                                        \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file || (at) < (least))                                                       \
			return next.name arguments;                                                \
		if (write_here(file, fd, buffer, n, at, &moved))                                   \
			return moved;                                                              \
		moved = next.name arguments;                                                       \
		return did_write(file, fd, &iov, 1, at, 0, moved, error);                          \
	}

READ(read, (int fd, void *buffer, size_t n), (fd, buffer, n), -1, -1)
READ(pread, (int fd, void *buffer, size_t n, off_t at), (fd, buffer, n, at), at, 0)
READ(pread64, (int fd, void *buffer, size_t n, off64_t at), (fd, buffer, n, at), at, 0)
WRITE(write, (int fd, const void *buffer, size_t n), (fd, buffer, n), -1, -1)
WRITE(pwrite, (int fd, const void *buffer, size_t n, off_t at), (fd, buffer, n, at), at, 0)
WRITE(pwrite64, (int fd, const void *buffer, size_t n, off64_t at), (fd, buffer, n, at), at, 0)

/*
 * With vectors. A vector may be unreadable, which is the kernel's to say: it is copied before it
 * is looked into, and only where it may be read past the cache. `at` is the offset of the transfer,
 * -1 for the description's own; below `least` it is an error, for -1 means that only to the calls
 * with flags (readv(2)).
 */
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

	if (!file->may_dontcache || !copied(iov, count, copy))
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

#define VECTOR(name, did, parameters, arguments, at, least, flags)                                 \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
		int error = result_error();                                                        \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file || (at) < (least))                                                       \
			return next.name arguments;                                                \
		if (HERE_##did(file, fd, iov, count, at, flags, &moved))                           \
			return moved;                                                              \
		WILL_##did(file, fd, at);                                                          \
		return did(file, fd, iov, count, at, flags, next.name arguments, error);           \
	}

#define HERE_did_read readv_here
#define HERE_did_write writev_here
#define WILL_did_read(file, fd, at) engine_reads(file, fd, at, VECTOR_GUESS)
#define WILL_did_write(file, fd, at) ((void)0)

#define IOV int fd, const struct iovec *iov, int count

VECTOR(readv, did_read, (IOV), (fd, iov, count), -1, -1, 0)
VECTOR(preadv, did_read, (IOV, off_t at), (fd, iov, count, at), at, 0, 0)
VECTOR(preadv64, did_read, (IOV, off64_t at), (fd, iov, count, at), at, 0, 0)
VECTOR(preadv2, did_read, (IOV, off_t at, int flags), (fd, iov, count, at, flags), at, -1, flags)
VECTOR(preadv64v2, did_read, (IOV, off64_t at, int flags), (fd, iov, count, at, flags), at, -1,
       flags)
VECTOR(writev, did_write, (IOV), (fd, iov, count), -1, -1, 0)
VECTOR(pwritev, did_write, (IOV, off_t at), (fd, iov, count, at), at, 0, 0)
VECTOR(pwritev64, did_write, (IOV, off64_t at), (fd, iov, count, at), at, 0, 0)
VECTOR(pwritev2, did_write, (IOV, off_t at, int flags), (fd, iov, count, at, flags), at, -1, flags)
VECTOR(pwritev64v2, did_write, (IOV, off64_t at, int flags), (fd, iov, count, at, flags), at, -1,
       flags)

/*
 * With a size that the fortified program has checked: one that does not fit is for libc, which
 * ends the program (abort(3)).
 */
#define CHECKED(name, plain, parameters, arguments, plain_arguments)                               \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		return n > room ? next.name arguments : plain plain_arguments;                     \
	}

CHECKED(__read_chk, read, (int fd, void *buffer, size_t n, size_t room), (fd, buffer, n, room),
	(fd, buffer, n))
CHECKED(__pread_chk, pread, (int fd, void *buffer, size_t n, off_t at, size_t room),
	(fd, buffer, n, at, room), (fd, buffer, n, at))
CHECKED(__pread64_chk, pread64, (int fd, void *buffer, size_t n, off64_t at, size_t room),
	(fd, buffer, n, at, room), (fd, buffer, n, at))
