/* twin.c - opening, recognizing and closing private descriptions. */
#include "twin.h"

#include "fdlink.h"
#include "fdtab.h"
#include "fsinfo.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

/* Numbers from here on are given to twins: above what programs count up to (DIRECT_CROWDED). */
enum { TWIN_LEAST = 900 };

static bool has_locks(const struct file *file, int fd)
{
	return file_is_locked(file) || sys_lock_on(fd) != F_UNLCK;
}

/* The same description on a high number, or -1. */
static int moved_up(int fd)
{
	long high = sys_duplicate(fd, TWIN_LEAST);

	sys_close(fd);
	return sys_failed(high) ? -1 : (int)high;
}

/*
 * Another description of the same file on any number, or -errno. O_LARGEFILE, which every 64-bit
 * program has, is where a 32-bit one may go beyond 2 GiB (open(2)): its twin may no more than it.
 */
static long reopened(const struct twin *twin, int fd)
{
	struct file like = {.dev = twin->dev, .ino = twin->ino};
	long own = sys_getflags(fd);
	long second = fdlink_open(fd, twin->flags | ((int)own & (O_NOATIME | O_LARGEFILE)));
	struct statx st;

	if (sys_failed(second) || file_confirm(&like, (int)second, &st))
		return second;
	sys_close((int)second);
	return -EBADF;
}

bool twin_open(struct twin *twin, struct file *file, int fd, int flags)
{
	long second;

	*twin = (struct twin){-1, flags, file->dev, file->ino};
	if (has_locks(file, fd)) {
		file_note(file, REASON_LOCKED);
		return false;
	}
	second = reopened(twin, fd);
	if (!sys_failed(second))
		twin->fd = moved_up((int)second);
	if (twin->fd < 0) {
		file_note(file, REASON_NO_DIRECT);
		return false;
	}
	fdtab_swap(twin->fd, FD_HIDDEN);
	return true;
}

/*
 * That it is not another description of the same file, put there behind our back: pwrite(2) through
 * one with O_APPEND would append.
 */
static bool has_its_flags(const struct twin *twin)
{
	long flags = sys_getflags(twin->fd);

	return !sys_failed(flags) &&
	       !(((int)flags ^ twin->flags) & (O_ACCMODE | O_DIRECT | O_APPEND));
}

bool twin_is_ours(const struct twin *twin)
{
	struct statx st;

	return twin->fd >= 0 && fdtab_get(twin->fd) == FD_HIDDEN &&
	       !sys_failed(sys_stat(twin->fd, &st)) && st.stx_ino == twin->ino &&
	       file_dev(&st) == twin->dev && has_its_flags(twin);
}

void twin_close(struct twin *twin, bool locks_matter)
{
	struct twin old = *twin;

	twin->fd = -1;
	if (old.fd < 0 || (locks_matter && sys_lock_on(old.fd) != F_UNLCK))
		return;
	/* Once it is closed the number may be another thread's new twin. */
	if (twin_is_ours(&old) && fdtab_change(old.fd, FD_HIDDEN, FD_UNKNOWN))
		sys_close(old.fd);
}

int64_t twin_block(int fd, uint64_t dev)
{
	int64_t block = sys_direct_block(fd);

	if (block <= 0 && fsinfo_of(fd, dev).direct_by_page)
		block = PAGE;
	return block > 0 ? larger(block, PAGE) : 0;
}

/* Whether a signal is the lease's: somebody waited to open the file while it was held. */
static bool is_of_lease(const siginfo_t *info, int twin)
{
	return info->si_code > 0 && info->si_fd == twin;
}

/*
 * A lease that has to be broken sends a signal. SIGURG, which nobody dies of, is made that signal;
 * it is held back in this thread meanwhile, and taken away again.
 */
long twin_probe_writers(const struct twin *twin)
{
	uint64_t mask;
	siginfo_t info;
	long result;

	if (sys_failed(sys_block_signal(SIGURG, &mask)))
		return -EACCES;
	result = sys_lease_signal(twin->fd, SIGURG);
	if (!sys_failed(result)) {
		result = sys_lease(twin->fd, F_RDLCK);
		if (!sys_failed(result))
			sys_lease(twin->fd, F_UNLCK);
	}
	if (!sys_failed(sys_take_signal(SIGURG, &info)) && !is_of_lease(&info, twin->fd))
		sys_send_signal(SIGURG, &info);
	sys_restore_signals(&mask);
	return sys_failed(result) ? result : 0;
}
