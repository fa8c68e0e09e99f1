/* transfer.c - calls that move bytes between a descriptor and memory. */
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
		      int count, off_t offset, int flags, ssize_t moved, int error)
{
	ssize_t again;

	if (moved != -1 || result_error() != EINVAL)
		return moved;
	again = unaligned_serve(file, fd, direction, iov, count, offset, flags);
	if (again == UNALIGNED_STANDS)
		return moved;
	result_restore(error);
	return result(again);
}

static ssize_t did_read(struct file *file, int fd, const struct iovec *iov, int count, off_t offset,
			int flags, ssize_t moved, int error)
{
	moved = served(file, fd, UNALIGNED_READ, iov, count, offset, flags, moved, error);
	return engine_did_read(file, fd, moved);
}

static ssize_t did_write(struct file *file, int fd, const struct iovec *iov, int count,
			 off_t offset, int flags, ssize_t moved, int error)
{
	moved = served(file, fd, UNALIGNED_WRITE, iov, count, offset, flags, moved, error);
	engine_did_write(file, fd, offset < 0 ? -1 : offset + moved, moved);
	return durable(file, fd, moved);
}

EXPORT ssize_t read(int fd, void *buffer, size_t n)
{
	struct iovec iov = {buffer, n};
	struct file *file = managed(fd);
	int error = result_error();
	ssize_t moved;

	if (!file)
		return next.read(fd, buffer, n);
	if (slices_wanted(file, n)) {
		moved = slices_read(file, fd, buffer, n, -1);
		if (moved != SLICES_FORWARD)
			return result(moved);
	}
	engine_reads(file, fd, -1, n);
	return did_read(file, fd, &iov, 1, -1, 0, next.read(fd, buffer, n), error);
}

EXPORT ssize_t write(int fd, const void *buffer, size_t n)
{
	struct iovec iov = {(void *)buffer, n};
	struct file *file = managed(fd);
	int error = result_error();
	ssize_t moved;

	if (!file)
		return next.write(fd, buffer, n);
	if (slices_wanted(file, n)) {
		moved = slices_write(file, fd, buffer, n, -1);
		if (moved != SLICES_FORWARD)
			return result(moved);
	}
	return did_write(file, fd, &iov, 1, -1, 0, next.write(fd, buffer, n), error);
}

#define PREAD(name, offset_type)                                                                   \
	EXPORT ssize_t name(int fd, void *buffer, size_t n, offset_type offset)                    \
	{                                                                                          \
		struct iovec iov = {buffer, n};                                                    \
		struct file *file = managed(fd);                                                   \
		int error = result_error();                                                        \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file || offset < 0)                                                           \
			return next.name(fd, buffer, n, offset);                                   \
		if (slices_wanted(file, n)) {                                                      \
			moved = slices_read(file, fd, buffer, n, offset);                          \
			if (moved != SLICES_FORWARD)                                               \
				return result(moved);                                              \
		}                                                                                  \
		engine_reads(file, fd, offset, n);                                                 \
		moved = next.name(fd, buffer, n, offset);                                          \
		return did_read(file, fd, &iov, 1, offset, 0, moved, error);                       \
	}

#define PWRITE(name, offset_type)                                                                  \
	EXPORT ssize_t name(int fd, const void *buffer, size_t n, offset_type offset)              \
	{                                                                                          \
		struct iovec iov = {(void *)buffer, n};                                            \
		struct file *file = managed(fd);                                                   \
		int error = result_error();                                                        \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file || offset < 0)                                                           \
			return next.name(fd, buffer, n, offset);                                   \
		if (slices_wanted(file, n)) {                                                      \
			moved = slices_write(file, fd, buffer, n, offset);                         \
			if (moved != SLICES_FORWARD)                                               \
				return result(moved);                                              \
		}                                                                                  \
		moved = next.name(fd, buffer, n, offset);                                          \
		return did_write(file, fd, &iov, 1, offset, 0, moved, error);                      \
	}

PREAD(pread, off_t)
PREAD(pread64, off64_t)
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/*
 * With vectors. These are not looked into: a vector may be unreadable, which is the kernel's to
 * say. `at` is the offset of the transfer, -1 for the description's own; below `least` it is an
 * error, for -1 means that only to the calls with flags (readv(2)).
 */
enum { VECTOR_GUESS = 64 * 1024 };

#define VECTOR(name, did, parameters, arguments, at, least, flags)                                 \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
		int error = result_error();                                                        \
                                                                                                   \
		if (!file || (at) < (least))                                                       \
			return next.name arguments;                                                \
		WILL_##did(file, fd, at);                                                          \
		return did(file, fd, iov, count, at, flags, next.name arguments, error);           \
	}

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

/* With a size that the fortified program has checked: the same, or abort(3). */
#define CHECKED(name, parameters, arguments, at, least)                                            \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct iovec iov = {buffer, n};                                                    \
		struct file *file = managed(fd);                                                   \
		int error = result_error();                                                        \
                                                                                                   \
		if (!file || (at) < (least))                                                       \
			return next.name arguments;                                                \
		engine_reads(file, fd, at, n);                                                     \
		return did_read(file, fd, &iov, 1, at, 0, next.name arguments, error);             \
	}

CHECKED(__read_chk, (int fd, void *buffer, size_t n, size_t room), (fd, buffer, n, room), -1, -1)
CHECKED(__pread_chk, (int fd, void *buffer, size_t n, off_t at, size_t room),
	(fd, buffer, n, at, room), at, 0)
CHECKED(__pread64_chk, (int fd, void *buffer, size_t n, off64_t at, size_t room),
	(fd, buffer, n, at, room), at, 0)
