/* stream.c - when to look at a stream, and whether it is one. */
#include "stream.h"

#include "stream_room.h"
#include "stream_window.h"
#include "sys.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>

/* Bytes between looks where pages go before they are read: what is read twice meanwhile stays. */
enum { STREAM_COMPANY = 128 * 1024 };

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

/* The first bytes move: `credit` of them before the first look, and no question until then. */
static void meet(struct window *window, int64_t credit, int64_t held)
{
	window->granted = credit;
	atomic_fetch_add_explicit(&window->credit, credit, memory_order_relaxed);
	room_take(window, held);
}

/*
 * Times the proof that a reader holds by then, with the kernel's readahead (mm/readahead.c,
 * get_init_ra_size() and get_next_ra_size(), of 64 to 128 KiB reads).
 */
enum { HELD_BY_THEN = 6 };

/* Bytes in sequence that make a reader a stream. */
static int64_t proof(void)
{
	return smaller(STREAM_START, room_left() / 32);
}

static bool was_cached(const struct file *file)
{
	return file_before(file) == BEFORE_ALL && file_treatment(file)->keep;
}

/* Returns whether `n` bytes may move without a look. */
static bool meets_reader(struct file *file, size_t n)
{
	struct window *window = &file->reading;
	int64_t least = proof();

	if (window->granted)
		return false;
	meet(window, least, was_cached(file) ? 0 : smaller(HELD_BY_THEN * least, file->old_size));
	return file_before(file) != BEFORE_UNKNOWN &&
	       atomic_load_explicit(&window->credit, memory_order_relaxed) >= (int64_t)n;
}

static bool meets_writer(struct file *file)
{
	struct window *window = &file->writing;
	int64_t step = window_step(file);

	if (window->granted)
		return false;
	meet(window, step, step);
	return atomic_load_explicit(&window->credit, memory_order_relaxed) >= 0;
}

/* Bytes in a row that make a jump worth forgetting. */
enum { JUMP_WORTH = 32 * 1024 };

/* Whether the bytes that moved since the last look were scattered over the file. */
static bool is_scattered(struct window *window, int64_t moved)
{
	int jumps = atomic_exchange_explicit(&window->jumps, 0, memory_order_relaxed);

	if (jumps)
		window_strays(window);
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
		file_set_before(file, cached ? BEFORE_SOME : BEFORE_NOTHING);
}

static void look_ahead(struct file *file, int fd, int64_t at, size_t n, int64_t size)
{
	struct window *window = &file->reading;
	int64_t least = proof(), credit;
	enum reason reason;

	if (file_before(file) == BEFORE_UNKNOWN && window->last == NEVER_LOOKED)
		ask_first(file, fd, at);
	if (!window->steady && at >= size)
		return; /* at the end, where a stream past the cache comes to */
	if (!follow(file, window, at)) {
		window_stop_reading(file, fd, at);
		least = STREAM_START;
	}
	if (!window->steady && window->run + (int64_t)n < least) {
		grant(window, least);
		return;
	}
	if ((reason = hands_off(file, fd))) {
		stop_looking(file, reason);
		return;
	}
	if (!window->steady)
		window_start_reading(file, fd, at);
	credit = window_slide_reading(file, fd, at, n, size);
	grant(window, window->company ? smaller(credit, STREAM_COMPANY) : credit);
}

/* All of it was cached before; what it grows by since then is as if some was. */
static bool is_hot(struct file *file, int64_t size)
{
	if (was_cached(file) && size > file->old_size)
		file_set_before(file, BEFORE_SOME);
	return was_cached(file);
}

static void confirm_and_look_ahead(struct file *file, int fd, int64_t offset, size_t n)
{
	struct statx st;

	if (!writeback_allowed())
		stop_looking(file, REASON_SIZE_LIMIT);
	else if (!file_confirm(file, fd, &st))
		stop_looking(file, REASON_CHANGED);
	else if (is_hot(file, file_size(&st)))
		grant(&file->reading, larger(file->old_size, UNIT));
	else
		look_ahead(file, fd, offset < 0 ? sys_position(fd) : offset, n, file_size(&st));
}

void stream_look_ahead(struct file *file, int fd, int64_t offset, size_t n)
{
	if (!file_hold(file)) {
		atomic_store_explicit(&file->crowded, true, memory_order_relaxed);
		return;
	}
	if (!meets_reader(file, n))
		confirm_and_look_ahead(file, fd, offset, n);
	file_release(file);
}

void stream_met_end(struct file *file, int fd)
{
	if (!file_hold(file))
		return;
	if (file->reading.steady)
		confirm_and_look_ahead(file, fd, -1, 0);
	file_release(file);
}

static void look_behind(struct file *file, int fd, int64_t at)
{
	struct window *window = &file->writing;
	int64_t step = window_step(file);
	enum reason reason;

	if (!follow(file, window, at))
		window_stop_writing(file, at);
	grant(window, step);
	if (!window->steady && window->run < step)
		return;
	if ((reason = hands_off(file, fd))) {
		stop_looking(file, reason);
		return;
	}
	if (!window->steady)
		window_start_writing(file, at);
	window_slide_writing(file, fd, at);
}

static void confirm_and_look_behind(struct file *file, int fd, int64_t offset)
{
	struct statx st;

	if (!writeback_allowed())
		stop_looking(file, REASON_SIZE_LIMIT);
	else if (!file_confirm(file, fd, &st))
		stop_looking(file, REASON_CHANGED);
	else
		look_behind(file, fd, offset < 0 ? sys_position(fd) : offset);
}

void stream_look_behind(struct file *file, int fd, int64_t offset)
{
	if (!file_hold(file))
		return;
	if (!meets_writer(file))
		confirm_and_look_behind(file, fd, offset);
	file_release(file);
}
