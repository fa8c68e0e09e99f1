/* transfer.c - calls that move bytes between a descriptor and one piece of memory. */
#include "transfer.h"

#include "direct.h"
#include "dontcache.h"
#include "slices.h"

#include "sys.h"

#include <errno.h>

/* Policy dsync: a write returns when its bytes are durable, or fails like an O_DSYNC write. */
static ssize_t durable(const struct file *file, int fd, ssize_t written)
{
	long synced;

	if (written <= 0 || file_policy(file) != POLICY_DSYNC)
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

ssize_t did_read(struct file *file, int fd, const struct iovec *iov, int count, int64_t offset,
		 int flags, ssize_t moved, int error)
{
	moved = served(file, fd, UNALIGNED_READ, iov, count, offset, flags, moved, error);
	return engine_did_read(file, fd, moved);
}

ssize_t did_write(struct file *file, int fd, const struct iovec *iov, int count, int64_t offset,
		  int flags, ssize_t moved, int error)
{
	moved = served(file, fd, UNALIGNED_WRITE, iov, count, offset, flags, moved, error);
	engine_did_write(file, fd, offset < 0 ? -1 : offset + moved, moved);
	return durable(file, fd, moved);
}

int cancel_now_or_later(void)
{
	int type = PTHREAD_CANCEL_DEFERRED;

	if (next_setcanceltype)
		next_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	if (next_testcancel)
		next_testcancel();
	return type;
}

void cancel_as(int type)
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

bool here(ssize_t done, ssize_t *moved)
{
	if (done == FORWARD)
		return false;
	*moved = result(done);
	return true;
}

/* What holds a relaxed file is not cancelled in the middle, for others would wait for it. */
static ssize_t read_relaxed(struct file *file, int fd, void *buffer, size_t n)
{
	int type = cancel_now_or_later();
	ssize_t done = relaxed_read(file, fd, buffer, n);

	cancel_as(type);
	return done;
}

static ssize_t write_relaxed(struct file *file, int fd, const void *buffer, size_t n)
{
	int type = cancel_now_or_later();
	ssize_t done = relaxed_write(file, fd, buffer, n);

	cancel_as(type);
	return done;
}

static bool read_here(struct file *file, int fd, void *buffer, size_t n, int64_t offset,
		      ssize_t *moved)
{
	ssize_t done = FORWARD;

	if (offset < 0 && relaxed_concerns(file))
		done = read_relaxed(file, fd, buffer, n);
	if (done == FORWARD)
		done = read_exactly(file, fd, buffer, n, offset);
	return here(done, moved);
}

static bool write_here(struct file *file, int fd, const void *buffer, size_t n, int64_t offset,
		       ssize_t *moved)
{
	ssize_t done = FORWARD;

	if (offset < 0 && relaxed_concerns(file))
		done = write_relaxed(file, fd, buffer, n);
	if (done == FORWARD)
		done = write_exactly(file, fd, buffer, n, offset);
	return here(done, moved);
}

/*
 * `at` is the offset of the transfer, -1 for the description's own; below `least` it is an error.
 */
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
