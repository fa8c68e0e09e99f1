/* engine_told.c - what the engine is told of, but for bytes that move and descriptors that come. */
#include "engine.h"

#include "direct.h"
#include "settle.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sched.h>
#include <sys/stat.h>

void engine_locks(int fd)
{
	struct file *file = engine_file(fd);
	struct statx st;

	if (file) {
		relaxed_stop(file, fd, REASON_LOCKED);
		atomic_store_explicit(&file->locked, true, memory_order_relaxed);
		direct_leave_for_lock(file);
	} else if (!engine_passive_now() && !sys_failed(sys_stat(fd, &st)) &&
		   S_ISREG(st.stx_mode)) {
		settle_refrain();
	}
}

void engine_advised(struct file *file, int fd, int advice)
{
	if (advice == POSIX_FADV_RANDOM)
		atomic_store_explicit(&file->own_random, true, memory_order_relaxed);
	if (advice == POSIX_FADV_NORMAL || advice == POSIX_FADV_SEQUENTIAL) {
		atomic_store_explicit(&file->own_random, false, memory_order_relaxed);
		if (file->advised)
			sys_advise(fd, 0, 0, POSIX_FADV_RANDOM);
	}
	if (advice == POSIX_FADV_WILLNEED)
		atomic_store_explicit(&file->own_ahead, true, memory_order_relaxed);
}

void engine_went_direct(struct file *file, bool direct)
{
	atomic_store_explicit(&file->own_direct, direct, memory_order_relaxed);
}

void engine_seeks(struct file *file)
{
	direct_moved(file);
	if (file_counted(file, COUNT_read))
		stream_jumps(file);
	atomic_store_explicit(&file->until_line, 0, memory_order_relaxed);
}

void engine_mapped(struct file *file, bool writable)
{
	if (config.any_relaxed)
		relaxed_mapped(file);
	atomic_store_explicit(&file->mapped, true, memory_order_relaxed);
	if (writable)
		atomic_store_explicit(&file->mapped_writable, true, memory_order_relaxed);
}

void engine_unmapped(size_t n)
{
	if (n >= UNIT && !engine_passive_now())
		settle_all();
}

void engine_renamed(int dir, const char *path)
{
	if (!engine_passive_now())
		settle_renamed(dir, path);
}

int engine_settle(int fd)
{
	struct file *file = engine_file(fd);

	return file ? relaxed_settle(file, fd) : 0;
}

void engine_settle_all(void)
{
	if (engine_passive_now())
		return;
	/* In a child of fork(2) there is nothing to settle, and the blocks are not there. */
	engine_may_change();
	relaxed_settle_all();
}

void engine_shares(int fd, enum reason reason)
{
	struct file *file = relaxed_any() ? engine_file(fd) : NULL;

	if (file)
		relaxed_stop(file, fd, reason);
}

void engine_shares_all(void)
{
	if (!relaxed_any() || engine_passive_now())
		return;
	engine_may_change();
	relaxed_stop_all(REASON_SHARED);
}

static void pass_on(struct file *file, void *data)
{
	(void)data;
	atomic_store_explicit(&file->passed, true, memory_order_relaxed);
}

/* Also by the child of a vfork(2) that is about to execute a program: it has the same records. */
void engine_passes_on(void)
{
	if (engine_passive_now())
		return;
	fdtab_forget_opened();
	file_each(pass_on, NULL);
	engine_shares_all();
}

void engine_crowded(void)
{
	if (!engine_passive_now() && engine_may_change())
		direct_forbid();
}

void engine_shares_numbers(uint64_t flags)
{
	if (flags & CLONE_FILES && !(flags & CLONE_VM) && !engine_passive_now() &&
	    engine_may_change())
		direct_forbid();
}
