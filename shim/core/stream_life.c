/* stream_life.c - streams come, change their rule, go. */
#include "stream.h"

#include "stream_room.h"
#include "stream_window.h"
#include "sys.h"
#include "units.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>

static void window_begin(struct window *window, int64_t credit)
{
	window->last = NEVER_LOOKED;
	window->run = 0;
	window->low = 0;
	window->high = 0;
	window->steady = false;
	window->granted = credit;
	atomic_store_explicit(&window->credit, credit, memory_order_relaxed);
	room_take(window, 0);
}

/* No credit: the first transfer is seen, for only then is it known who shares the room. */
void stream_begin(struct file *file, bool active)
{
	window_begin(&file->reading, active ? 0 : INT64_MAX);
	window_begin(&file->writing, active ? 0 : INT64_MAX);
}

void stream_inherit(struct file *file)
{
	bool active = file_policy(file) == POLICY_DONTNEED;

	stream_begin(file, active);
	units_clear(file);
	file->keeps = true;
}

void stream_forked(void)
{
	room_forked();
}

void stream_forget(struct file *file)
{
	room_take(&file->reading, 0);
	room_take(&file->writing, 0);
}

/* The next look comes at once, and sees all that moved since stream_begin(). */
static void window_join(struct window *window)
{
	window->granted -= atomic_load_explicit(&window->credit, memory_order_relaxed);
	atomic_store_explicit(&window->credit, 0, memory_order_relaxed);
}

void stream_join(struct file *file)
{
	window_join(&file->reading);
	window_join(&file->writing);
}

void stream_leave(struct file *file, int fd)
{
	if (file->advised)
		sys_advise(fd, 0, 0, POSIX_FADV_NORMAL);
	file->advised = false;
	stream_begin(file, false);
}

void stream_reaches(struct file *file, int fd, int64_t at)
{
	if (!file_hold(file))
		return;
	window_reaches(file, fd, at);
	file_release(file);
}

/* Nothing to release: the program moved nothing, or only read what was cached anyway. */
static bool nothing_to_end(const struct file *file)
{
	return file_policy(file) != POLICY_DONTNEED ||
	       (!file_has_moved(file) && !file->owed &&
		!atomic_load_explicit(&file->heir, memory_order_relaxed)) ||
	       (file_before(file) == BEFORE_ALL && !file_to_settle(file) &&
		!atomic_load_explicit(&file->mapped, memory_order_relaxed));
}

enum stream_rest stream_end(struct file *file, int fd, enum stream_end how)
{
	enum stream_rest rest = STREAM_DONE;
	struct statx st;

	if (nothing_to_end(file))
		return rest;
	if (!writeback_allowed()) {
		file_note(file, REASON_SIZE_LIMIT);
		return rest;
	}
	if (!file_hold(file))
		return rest;
	if (how == STREAM_CLOSES && window_is_left(file))
		rest = STREAM_DONE;
	else if (file_confirm(file, fd, &st))
		rest = window_end(file, fd, file_size(&st), how);
	else
		file_note(file, REASON_CHANGED);
	file_release(file);
	return rest;
}

void stream_give_back(struct file *file, int fd)
{
	struct statx st;

	if (!file->advised || !file_hold(file))
		return;
	if (file_confirm(file, fd, &st))
		sys_advise(fd, 0, 0, POSIX_FADV_NORMAL);
	file->advised = false;
	file->reading.steady = false;
	file->reading.run = 0;
	file_release(file);
}
