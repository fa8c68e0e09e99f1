/* relaxed.c - how a relaxed file is settled. */
#include "relaxed_file.h"

#include "fdtab.h"
#include "sys.h"

#include <errno.h>
#include <linux/stat.h>

enum {
	PATIENCE_MOST = 512,
	WORTH = 32, /* calls that pay for having begun */
};

_Atomic int relaxed_files;

static void count(struct relaxed *relaxed)
{
	bool reading = relaxed_kind(relaxed) == RELAXED_READING;
	uint64_t n = (uint64_t)(relaxed_at(relaxed) - relaxed->begun);

	file_count(relaxed->file, reading ? COUNT_reads : COUNT_writes, relaxed->calls);
	file_count(relaxed->file, reading ? COUNT_read : COUNT_written, n);
	file_count(relaxed->file, COUNT_bounced, n);
	if (reading)
		file_count(relaxed->file, COUNT_direct, n);
	relaxed->begun = relaxed_at(relaxed);
	relaxed->calls = 0;
}

struct search {
	const struct file *file;
	int fd;
};

static void match(int fd, uintptr_t slot, void *data)
{
	struct search *search = data;
	struct statx st;

	if (search->fd < 0 && slot == (uintptr_t)search->file &&
	    file_confirm(search->file, fd, &st))
		search->fd = fd;
}

/* Open, and its file system does not say what it is: then it is what it was, as in file_still(). */
static bool is_untold(int fd)
{
	struct statx st;
	long result = sys_stat(fd, &st);

	return sys_failed(result) && result != -EBADF;
}

/* A descriptor that means the file now, or -1: it may have been closed behind our back. */
static int descriptor(const struct relaxed *relaxed, int fd)
{
	struct search search = {relaxed->file, -1};
	struct statx st;

	if (fd >= 0 && file_confirm(relaxed->file, fd, &st))
		return fd;
	if (file_confirm(relaxed->file, relaxed->fd, &st))
		return relaxed->fd;
	fdtab_each(0, FDTAB_LIMIT - 1, match, &search);
	return search.fd < 0 && is_untold(relaxed->fd) ? relaxed->fd : search.fd;
}

void relaxed_learn(struct relaxed *relaxed, bool gained)
{
	relaxed_rests(relaxed);
	relaxed->patience =
		gained ? RELAXED_PATIENCE : (int)smaller(relaxed->patience * 2, PATIENCE_MOST);
}

/* What is read ahead may be in use by a call that was interrupted: then that one gives it back. */
void relaxed_give_back(struct relaxed *relaxed, enum relaxed_kind kind)
{
	atomic_store_explicit(&relaxed->kind, kind, memory_order_relaxed);
	if (!relaxed->direct || relaxed_is_broken(relaxed))
		return;
	relaxed->direct->current = false;
	direct_moved(relaxed->file);
	direct_release(relaxed->direct);
	relaxed->direct = NULL;
}

static int settle_held(struct relaxed *relaxed, int fd)
{
	enum relaxed_kind kind = relaxed_kind(relaxed);
	int error = 0;

	if (kind == RELAXED_NOT) {
		relaxed_rests(relaxed);
		return 0;
	}
	if (kind == RELAXED_WRITING)
		relaxed->end = relaxed_at(relaxed);
	if (kind != RELAXED_OWING) {
		relaxed_learn(relaxed, relaxed->calls >= WORTH);
		count(relaxed);
	}
	fd = descriptor(relaxed, fd);
	if (fd >= 0 && kind != RELAXED_READING)
		error = relaxed_put(relaxed, fd, true);
	if (fd >= 0 && kind != RELAXED_OWING)
		sys_seek(fd, relaxed_at(relaxed));
	relaxed_give_back(relaxed, error ? RELAXED_OWING : RELAXED_NOT);
	return error;
}

int relaxed_settle_held(struct relaxed *relaxed, int fd)
{
	uint64_t mask;
	int error;

	sys_block_signals(&mask);
	error = settle_held(relaxed, fd);
	sys_restore_signals(&mask);
	return error;
}

/* In a signal handler that came while this thread copies: that call will start over. */
static void interrupt(struct relaxed *relaxed)
{
	enum relaxed_kind kind = relaxed_kind(relaxed);

	if (kind != RELAXED_READING && kind != RELAXED_WRITING)
		return;
	relaxed->broken_at = relaxed_at(relaxed);
	atomic_store_explicit(&relaxed->broken, true, memory_order_relaxed);
}

static int hold_and_settle(struct relaxed *relaxed, struct file *file, int fd)
{
	int error = 0;
	bool nested;

	if (!relaxed_hold(relaxed, &nested))
		return 0;
	if (relaxed->file == file) {
		if (nested)
			interrupt(relaxed);
		error = settle_held(relaxed, fd);
	}
	if (!nested)
		relaxed_release(relaxed);
	return error;
}

/* A signal that ends the thread (pthread_cancel(3)) finds it holding nothing. */
static int settle_from(struct relaxed *relaxed, struct file *file, int fd)
{
	uint64_t mask;
	int error;

	sys_block_signals(&mask);
	error = hold_and_settle(relaxed, file, fd);
	sys_restore_signals(&mask);
	return error;
}

/* Nothing to settle, and nothing that another thread could begin. */
static bool is_settled(struct relaxed *relaxed)
{
	if (relaxed_kind(relaxed) != RELAXED_NOT)
		return false;
	if (relaxed_is_mine(relaxed))
		relaxed_rests(relaxed);
	return relaxed_is_mine(relaxed) || relaxed_is_stopped(relaxed);
}

int relaxed_settle(struct file *file, int fd)
{
	struct relaxed *relaxed = relaxed_of(file);

	if (!relaxed || is_settled(relaxed))
		return 0;
	if (!relaxed_is_mine(relaxed))
		relaxed_give_up(relaxed, file, REASON_SHARED);
	return settle_from(relaxed, file, fd);
}

static void settle_one(struct file *file, void *data)
{
	(void)data;
	relaxed_settle(file, -1);
}

void relaxed_settle_all(void)
{
	if (relaxed_any())
		file_each(settle_one, NULL);
}

void relaxed_stop(struct file *file, int fd, enum reason reason)
{
	struct relaxed *relaxed = relaxed_of(file);

	if (!relaxed || (relaxed_is_stopped(relaxed) && is_settled(relaxed)))
		return;
	relaxed_give_up(relaxed, file, reason);
	settle_from(relaxed, file, fd);
}

static void stop_one(struct file *file, void *data)
{
	const enum reason *reason = data;

	relaxed_stop(file, -1, *reason);
}

void relaxed_stop_all(enum reason reason)
{
	if (relaxed_any())
		file_each(stop_one, &reason);
}
