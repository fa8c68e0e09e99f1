/* unaligned.c - refused direct requests, served through the page cache. */
#include "unaligned.h"

#include "direct_file.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>

/* linux/fs.h; not in musl's headers. */
#ifndef RWF_APPEND
#define RWF_APPEND 0x10
#endif

/* What of a description's flags its second one must share. */
enum { SHARED_FLAGS = O_ACCMODE | O_APPEND | O_DSYNC | O_SYNC };

/* The second description does the transfer where the first one stands, and then moves it. */
static ssize_t at_own_offset(int fd, int second, enum unaligned direction, long flags,
			     const struct iovec *iov, int count, int rwf)
{
	int64_t start = sys_position(fd);
	ssize_t moved;

	if (start < 0)
		return FORWARD;
	sys_seek(second, start);
	moved = direction == UNALIGNED_READ ? sys_preadv2(second, iov, count, -1, rwf)
					    : sys_pwritev2(second, iov, count, -1, rwf);
	if (moved > 0 && direction == UNALIGNED_WRITE && (flags & O_APPEND || rwf & RWF_APPEND))
		sys_seek(fd, sys_position(second));
	else if (moved > 0)
		sys_advance(fd, moved);
	return moved;
}

static ssize_t transfer(int fd, int second, enum unaligned direction, long flags,
			const struct iovec *iov, int count, int64_t offset, int rwf)
{
	if (offset < 0)
		return at_own_offset(fd, second, direction, flags, iov, count, rwf);
	if (direction == UNALIGNED_READ)
		return sys_preadv2(second, iov, count, offset, rwf);
	return sys_pwritev2(second, iov, count, offset, rwf);
}

/* From now on the file has pages in the cache: its stream is looked after. */
static void note_served(struct file *file)
{
	if (file->served || !file_hold(file))
		return;
	file->served = true;
	atomic_store_explicit(&file->own_direct, true, memory_order_relaxed);
	stream_begin(file, file_policy(file) == POLICY_DONTNEED);
	file_note(file, REASON_OWN_DIRECT);
	file_release(file);
}

static ssize_t serve(struct file *file, int fd, struct twin *second, enum unaligned direction,
		     const struct iovec *iov, int count, int64_t offset, int rwf)
{
	long flags = sys_getflags(fd);
	struct statx st;
	ssize_t moved;

	if (!file_confirm(file, fd, &st))
		return FORWARD;
	note_served(file);
	moved = transfer(fd, second->fd, direction, flags, iov, count, offset, rwf);
	return moved == -ENOSYS ? FORWARD : moved;
}

/* Where another thread has what is kept of the file, a twin of this call's own will do. */
static ssize_t serve_alone(struct file *file, int fd, int flags, enum unaligned direction,
			   const struct iovec *iov, int count, int64_t offset, int rwf)
{
	struct twin second;
	ssize_t moved = FORWARD;

	if (twin_open(&second, file, fd, flags))
		moved = serve(file, fd, &second, direction, iov, count, offset, rwf);
	twin_close(&second, true);
	return moved;
}

ssize_t unaligned_serve(struct file *file, int fd, enum unaligned direction,
			const struct iovec *iov, int count, int64_t offset, int rwf)
{
	long flags = sys_getflags(fd);
	ssize_t moved = FORWARD;
	struct direct *direct;

	if (file_asked(file) != POLICY_AUTO && file_asked(file) != POLICY_DIRECT)
		return FORWARD;
	if (sys_failed(flags) || !(flags & O_DIRECT))
		return FORWARD;
	flags &= SHARED_FLAGS;
	direct = direct_hold(file, fd);
	if (!direct)
		return serve_alone(file, fd, (int)flags, direction, iov, count, offset, rwf);
	if (direct_can_serve(direct, fd, (int)flags))
		moved = serve(file, fd, &direct->plain, direction, iov, count, offset, rwf);
	direct_release(direct);
	return moved;
}
