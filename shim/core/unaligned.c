/* unaligned.c - refused direct requests, served through the page cache. */
#include "unaligned.h"

#include "fdlink.h"
#include "settle.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/stat.h>

/* What of a description's flags its second one must share. */
enum { SHARED_FLAGS = O_ACCMODE | O_APPEND | O_DSYNC | O_SYNC };

/* The second description does the transfer where the first one stands, and then moves it. */
static ssize_t at_own_offset(int fd, int second, enum unaligned direction, long flags,
			     const struct iovec *iov, int count, int rwf)
{
	int64_t start = sys_position(fd);
	ssize_t moved;

	if (start < 0)
		return UNALIGNED_STANDS;
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
			const struct iovec *iov, int count, off_t offset, int rwf)
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
	stream_begin(file, file->policy == POLICY_DONTNEED);
	file_note(file, REASON_OWN_DIRECT);
	file_release(file);
}

ssize_t unaligned_serve(struct file *file, int fd, enum unaligned direction,
			const struct iovec *iov, int count, off_t offset, int flags)
{
	long fd_flags = sys_getflags(fd), second;
	struct statx st;
	ssize_t moved;

	if (file->asked != POLICY_AUTO && file->asked != POLICY_DIRECT)
		return UNALIGNED_STANDS;
	if (sys_failed(fd_flags) || !(fd_flags & O_DIRECT) || settle_refrains() ||
	    file_is_locked(file))
		return UNALIGNED_STANDS;
	if (!file_confirm(file, fd, &st) ||
	    sys_failed(second = fdlink_open(fd, (int)fd_flags & SHARED_FLAGS)))
		return UNALIGNED_STANDS;
	moved = UNALIGNED_STANDS;
	if (file_confirm(file, (int)second, &st)) {
		note_served(file);
		moved = transfer(fd, (int)second, direction, fd_flags, iov, count, offset, flags);
	}
	sys_close((int)second);
	return moved;
}
