/* writeback.c - waiting for write-out without taking the program's write errors. */
#include "writeback.h"

#include "sys.h"

#include <errno.h>

/* How long nothing may come nearer to the disk, and the time between looks. */
enum { PATIENCE_NS = 1000000000, NAP_NS = 100000 };

/* Whether the call was refused: an emulator without it, a sandbox, a signal. Nothing is lost. */
static bool is_refusal(long result)
{
	switch (result) {
	case -ENOSYS:
	case -EPERM:
	case -EACCES:
	case -EBADF:
	case -EINVAL:
	case -ESPIPE:
	case -EINTR:
		return true;
	default:
		return false;
	}
}

/*
 * sync_file_range(2) waits well, but reports and clears the description's write error. On
 * overlayfs it does nothing: the dirty pages are those of another inode (fs/overlayfs/file.c).
 */
static void wait_and_keep_error(struct file *file, int fd, int64_t from, int64_t to)
{
	long result = file->blind ? sys_datasync(fd) : sys_writeout_wait(fd, from, to - from);

	if (sys_failed(result) && !is_refusal(result))
		atomic_store_explicit(&file->write_error, (int)result, memory_order_relaxed);
}

void writeback_wait(struct file *file, int fd, int64_t from, int64_t to)
{
	int64_t left, best = INT64_MAX, since = 0;

	if (from >= to || file->stubborn)
		return;
	while ((left = residency_unwritten(file->probe, fd, from, to - from)) > 0) {
		if (left < best || !since) {
			best = smaller(left, best);
			since = sys_steady_clock();
		} else if (sys_steady_clock() - since > PATIENCE_NS) {
			file->stubborn = true;
			file_note(file, REASON_STAYS_DIRTY);
			return;
		}
		sys_writeout(fd, from, to - from);
		sys_sleep(NAP_NS);
	}
	if (left == RESIDENCY_UNKNOWN)
		wait_and_keep_error(file, fd, from, to);
}

bool writeback_allowed(void)
{
	uint64_t limit;

	return !sys_failed(sys_file_limit(&limit)) && limit == UINT64_MAX;
}

int writeback_error(struct file *file)
{
	return atomic_exchange_explicit(&file->write_error, 0, memory_order_relaxed);
}
