/* stream.c - when to look at a stream, and whether it is one. */
#include "stream.h"

#include "stream_window.h"
#include "sys.h"
#include "units.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>

enum { NEVER_LOOKED = -1 };

/* Bytes between looks where pages go before they are read: what is read twice meanwhile stays. */
enum { STREAM_COMPANY = 128 * 1024 };

static void window_begin(struct window *window, int64_t credit)
{
	window->last = NEVER_LOOKED;
	window->run = 0;
	window->low = 0;
	window->high = 0;
	window->steady = false;
	window->granted = credit;
	atomic_store_explicit(&window->credit, credit, memory_order_relaxed);
}

void stream_begin(struct file *file, bool active)
{
	window_begin(&file->reading, active ? STREAM_START : INT64_MAX);
	window_begin(&file->writing, active ? STREAM_STEP : INT64_MAX);
}

void stream_inherit(struct file *file)
{
	bool active = file->policy == POLICY_DONTNEED;

	stream_begin(file, active);
	units_clear(file);
	file->keeps = true;
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

void stream_asks_first(struct file *file)
{
	if (file->policy == POLICY_DONTNEED)
		window_join(&file->reading);
}

void stream_reaches(struct file *file, int fd, int64_t at)
{
	if (!file_hold(file))
		return;
	window_reaches(file, fd, at);
	file_release(file);
}

static void stop_looking(struct file *file, enum reason reason)
{
	file_note(file, reason);
	stream_begin(file, false);
}

static void grant(struct window *window, int64_t credit)
{
	window->granted = credit;
	atomic_store_explicit(&window->credit, credit, memory_order_relaxed);
}

/* Bytes in a row that make a jump worth forgetting. */
enum { JUMP_WORTH = 32 * 1024 };

/* Whether the bytes that moved since the last look were scattered over the file. */
static bool is_scattered(struct window *window, int64_t moved)
{
	int jumps = atomic_exchange_explicit(&window->jumps, 0, memory_order_relaxed);

	return (int64_t)jumps * JUMP_WORTH > moved;
}

static bool near(int64_t at, int64_t expected)
{
	return at - expected >= -STREAM_START && at - expected <= STREAM_START;
}

/*
 * Follows the stream to `at`, the offset that its next bytes come from or its last went to.
 * Returns false where it went elsewhere, out of its window: then it is no stream until it proves
 * so. It is expected to begin at the file's start, or at its old end. A FILE reads ahead and
 * writes late, so the two counts may differ by its buffer.
 */
static bool follow(const struct file *file, struct window *window, int64_t at)
{
	int64_t moved =
		window->granted - atomic_load_explicit(&window->credit, memory_order_relaxed);
	bool onward;

	if (window->last == NEVER_LOOKED)
		onward = near(at, moved) || near(at, file->old_size + moved);
	else
		onward = near(at, window->last + moved) || (window->steady && at >= window->low);
	onward &= !is_scattered(window, moved);
	window->run = onward ? window->run + moved : 0;
	window->last = at;
	return onward;
}

/* Why the file's stream is not to be touched, or REASON_NONE. */
static enum reason hands_off(struct file *file, int fd)
{
	long flags = sys_getflags(fd);

	if (file->served)
		return REASON_NONE;
	if (atomic_load_explicit(&file->own_direct, memory_order_relaxed) ||
	    (!sys_failed(flags) && flags & O_DIRECT))
		return REASON_OWN_DIRECT;
	if (atomic_load_explicit(&file->own_random, memory_order_relaxed))
		return REASON_OWN_ADVICE;
	return REASON_NONE;
}

/* Where only a read can tell, the first one speaks for the file until it is a stream. */
static void ask_first(struct file *file, int fd, int64_t at)
{
	int64_t cached = residency_by_reading(fd, align_down(at, PAGE), STREAM_START);

	if (cached != RESIDENCY_UNKNOWN)
		file->before = cached ? BEFORE_SOME : BEFORE_NOTHING;
}

static void look_ahead(struct file *file, int fd, int64_t at, size_t n, int64_t size)
{
	struct window *window = &file->reading;
	enum reason reason;

	if (file->before == BEFORE_UNKNOWN && window->last == NEVER_LOOKED)
		ask_first(file, fd, at);
	if (!window->steady && at >= size)
		return; /* at the end, where a stream past the cache comes to */
	if (!follow(file, window, at))
		window_stop_reading(file, fd, at);
	if (!window->steady && window->run + (int64_t)n < STREAM_START) {
		grant(window, STREAM_START);
		return;
	}
	if ((reason = hands_off(file, fd))) {
		stop_looking(file, reason);
		return;
	}
	if (!window->steady)
		window_start_reading(file, fd, at);
	window_slide_reading(file, fd, at, n, size);
	grant(window, window->company ? STREAM_COMPANY : STREAM_STEP);
}

/* All of it was cached before; what it grows by since then is as if some was. */
static bool is_hot(struct file *file, int64_t size)
{
	if (file->before != BEFORE_ALL || !file->treatment.keep)
		return false;
	if (size > file->old_size)
		file->before = BEFORE_SOME;
	return file->before == BEFORE_ALL;
}

void stream_look_ahead(struct file *file, int fd, int64_t offset, size_t n)
{
	struct statx st;

	if (!file_hold(file))
		return;
	if (!writeback_allowed())
		stop_looking(file, REASON_SIZE_LIMIT);
	else if (!file_confirm(file, fd, &st))
		stop_looking(file, REASON_CHANGED);
	else if (is_hot(file, file_size(&st)))
		grant(&file->reading, larger(file->old_size, STREAM_STEP));
	else
		look_ahead(file, fd, offset < 0 ? sys_position(fd) : offset, n, file_size(&st));
	file_release(file);
}

static void look_behind(struct file *file, int fd, int64_t at)
{
	struct window *window = &file->writing;
	enum reason reason;

	if (!follow(file, window, at))
		window_stop_writing(file, at);
	grant(window, STREAM_STEP);
	if (!window->steady && window->run < STREAM_STEP)
		return;
	if ((reason = hands_off(file, fd))) {
		stop_looking(file, reason);
		return;
	}
	if (!window->steady)
		window_start_writing(file, at);
	window_slide_writing(file, fd, at);
}

void stream_look_behind(struct file *file, int fd, int64_t offset)
{
	struct statx st;

	if (!file_hold(file))
		return;
	if (!writeback_allowed())
		stop_looking(file, REASON_SIZE_LIMIT);
	else if (!file_confirm(file, fd, &st))
		stop_looking(file, REASON_CHANGED);
	else
		look_behind(file, fd, offset < 0 ? sys_position(fd) : offset);
	file_release(file);
}

/* Nothing to release: the program moved nothing, or only read what was cached anyway. */
static bool nothing_to_end(const struct file *file)
{
	return file->policy != POLICY_DONTNEED ||
	       (!file_has_moved(file) &&
		!atomic_load_explicit(&file->heir, memory_order_relaxed)) ||
	       (file->before == BEFORE_ALL && !file_counted(file, COUNT_written) &&
		!atomic_load_explicit(&file->mapped, memory_order_relaxed));
}

enum stream_rest stream_end(struct file *file, int fd, bool wait)
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
	if (!wait && window_is_left(file))
		rest = STREAM_DONE;
	else if (file_confirm(file, fd, &st))
		rest = window_end(file, fd, file_size(&st), wait);
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
