/* sync.c - calls that make data durable, and the program's own advice. */
#include "wrap.h"

#include "writeback.h"

/*
 * A write error that a wait of ours took from the description is the program's to see at its
 * next fsync(2), as is one of a relaxed file: `unwritten`.
 */
static int with_taken_error(int fd, int unwritten, int done)
{
	struct file *file = met(fd);
	int error = file && done == 0 ? writeback_error(file) : 0;

	if (done == 0 && unwritten)
		return (int)result(unwritten);
	return error ? (int)result(error) : done;
}

EXPORT int fsync(int fd)
{
	int unwritten = settled(fd);

	return with_taken_error(fd, unwritten, next.fsync(fd));
}

EXPORT int fdatasync(int fd)
{
	int unwritten = settled(fd);

	return with_taken_error(fd, unwritten, next.fdatasync(fd));
}

EXPORT int syncfs(int fd)
{
	all_settled();
	return next.syncfs(fd);
}

EXPORT void sync(void)
{
	all_settled();
	next.sync();
}

EXPORT int sync_file_range(int fd, off64_t offset, off64_t length, unsigned flags)
{
	int unwritten = settled(fd), done = next.sync_file_range(fd, offset, length, flags);

	return flags & ~SYNC_FILE_RANGE_WRITE ? with_taken_error(fd, unwritten, done) : done;
}

static int advised(int fd, int advice, int done)
{
	struct file *file = done == 0 ? managed(fd) : NULL;

	if (file)
		engine_advised(file, fd, advice);
	return done;
}

#define ADVISES(name, offset_type, length_type)                                                    \
	EXPORT int name(int fd, offset_type offset, length_type length, int advice)                \
	{                                                                                          \
		settled(fd);                                                                       \
		return advised(fd, advice, next.name(fd, offset, length, advice));                 \
	}

ADVISES(posix_fadvise, off_t, off_t)
ADVISES(posix_fadvise64, off64_t, off64_t)
#ifdef __i386__
ADVISES(posix_fadvise64_old, off64_t, off_t)
NOW(posix_fadvise64, "GLIBC_2.3.3")
#endif

EXPORT ssize_t readahead(int fd, off64_t offset, size_t n)
{
	struct file *file = managed(fd);

	if (file)
		engine_advised(file, fd, POSIX_FADV_WILLNEED);
	return next.readahead(fd, offset, n);
}
