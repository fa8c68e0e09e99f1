/* transfer.c - calls that move bytes between a descriptor and memory. */
#include "slices.h"
#include "wrap.h"

#include "sys.h"

/* Policy dsync: a write returns when its bytes are durable, or fails like an O_DSYNC write. */
static ssize_t durable(const struct file *file, int fd, ssize_t written)
{
	long synced;

	if (written <= 0 || file->policy != POLICY_DSYNC)
		return written;
	synced = sys_datasync(fd);
	return sys_failed(synced) ? result(synced) : written;
}

EXPORT ssize_t read(int fd, void *buffer, size_t n)
{
	struct file *file = managed(fd);
	ssize_t moved;

	if (!file)
		return next.read(fd, buffer, n);
	if (slices_wanted(file, n)) {
		moved = slices_read(file, fd, buffer, n, -1);
		if (moved != SLICES_FORWARD)
			return result(moved);
	}
	engine_reads(file, fd, -1, n);
	return engine_did_read(file, fd, next.read(fd, buffer, n));
}

EXPORT ssize_t write(int fd, const void *buffer, size_t n)
{
	struct file *file = managed(fd);
	ssize_t moved;

	if (!file)
		return next.write(fd, buffer, n);
	if (slices_wanted(file, n)) {
		moved = slices_write(file, fd, buffer, n, -1);
		if (moved != SLICES_FORWARD)
			return result(moved);
	}
	moved = engine_did_write(file, fd, -1, next.write(fd, buffer, n));
	return durable(file, fd, moved);
}

#define PREAD(name, offset_type)                                                                   \
	EXPORT ssize_t name(int fd, void *buffer, size_t n, offset_type offset)                    \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
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
		return engine_did_read(file, fd, next.name(fd, buffer, n, offset));                \
	}

#define PWRITE(name, offset_type)                                                                  \
	EXPORT ssize_t name(int fd, const void *buffer, size_t n, offset_type offset)              \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
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
		engine_did_write(file, fd, offset + moved, moved);                                 \
		return durable(file, fd, moved);                                                   \
	}

PREAD(pread, off_t)
PREAD(pread64, off64_t)
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/*
 * The variants with vectors, flags and checked sizes. A vector is not looked into: it may be
 * unreadable, which is the kernel's to say. `at` is the offset of the transfer, -1 for the
 * description's own.
 */
#define READS(name, parameters, arguments, n, at)                                                  \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
                                                                                                   \
		if (!file)                                                                         \
			return next.name arguments;                                                \
		engine_reads(file, fd, at, n);                                                     \
		return engine_did_read(file, fd, next.name arguments);                             \
	}

#define WRITES(name, parameters, arguments, at)                                                    \
	EXPORT ssize_t name parameters                                                             \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
		ssize_t moved;                                                                     \
                                                                                                   \
		if (!file)                                                                         \
			return next.name arguments;                                                \
		moved = next.name arguments;                                                       \
		engine_did_write(file, fd, (at) < 0 ? -1 : (at) + moved, moved);                   \
		return durable(file, fd, moved);                                                   \
	}

/* What a vector is taken to hold before it was moved. */
enum { VECTOR_GUESS = 64 * 1024 };

#define VECTOR int fd, const struct iovec *iov, int count

READS(readv, (VECTOR), (fd, iov, count), VECTOR_GUESS, -1)
READS(preadv, (VECTOR, off_t at), (fd, iov, count, at), VECTOR_GUESS, at)
READS(preadv64, (VECTOR, off64_t at), (fd, iov, count, at), VECTOR_GUESS, at)
READS(preadv2, (VECTOR, off_t at, int flags), (fd, iov, count, at, flags), VECTOR_GUESS, at)
READS(preadv64v2, (VECTOR, off64_t at, int flags), (fd, iov, count, at, flags), VECTOR_GUESS, at)
READS(__read_chk, (int fd, void *buffer, size_t n, size_t room), (fd, buffer, n, room), n, -1)
READS(__pread_chk, (int fd, void *buffer, size_t n, off_t at, size_t room),
      (fd, buffer, n, at, room), n, at)
READS(__pread64_chk, (int fd, void *buffer, size_t n, off64_t at, size_t room),
      (fd, buffer, n, at, room), n, at)

WRITES(writev, (VECTOR), (fd, iov, count), -1)
WRITES(pwritev, (VECTOR, off_t at), (fd, iov, count, at), at)
WRITES(pwritev64, (VECTOR, off64_t at), (fd, iov, count, at), at)
WRITES(pwritev2, (VECTOR, off_t at, int flags), (fd, iov, count, at, flags), at)
WRITES(pwritev64v2, (VECTOR, off64_t at, int flags), (fd, iov, count, at, flags), at)
