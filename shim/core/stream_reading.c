/* stream_reading.c - the window of a reader: ask ahead of it, release behind it. */
#include "stream_window.h"

#include "stream_room.h"
#include "sys.h"
#include "units.h"

#include <fcntl.h>

/* What the kernel's own readahead may have brought in while the stream proved itself. */
enum { PROVING_READAHEAD = 8 * 1024 * 1024 };

/* The smallest piece that is asked for: what a device reads ahead by default (linux/mm.h). */
enum { ASK_LEAST = 128 * 1024 };

/*
 * How far a reader lets pages lie behind it: another one that reads the file beside it finds them
 * there, and what both ask for the first to pass does not take from the other.
 */
static int64_t behind_reader(const struct file *file)
{
	return align_down(window_half(file) / 2, PAGE);
}

/*
 * Notes how far the kernel has read ahead of `from`; returns how much of that is cached. The reads
 * that prove a stream are the first to bring something in: it has no gap of a unit.
 */
static int64_t note_reach(struct file *file, int fd, int64_t from)
{
	int64_t end = from, cached = 0, n;

	while (end < from + STREAM_KERNEL_AHEAD &&
	       (n = residency_bytes(file->probe, fd, end, UNIT)) != 0) {
		cached += n;
		end += UNIT;
	}
	file->reading.reach = larger(file->reading.reach, larger(end, PAGE));
	return cached;
}

void window_reaches(struct file *file, int fd, int64_t at)
{
	note_reach(file, fd, align_down(at, PAGE));
}

/* Whether the kernel's own readahead has brought in all of the `n` bytes from `at` on. */
static bool is_read_ahead(const struct file *file, int fd, int64_t at, int64_t n)
{
	return file_before(file) == BEFORE_NOTHING && n > 0 &&
	       residency_bytes(file->probe, fd, at, n) == n;
}

void window_start_reading(struct file *file, int fd, int64_t at)
{
	struct window *window = &file->reading;
	int64_t here = align_down(at, PAGE), ahead;

	sys_advise(fd, 0, 0, POSIX_FADV_RANDOM);
	file->advised = true;
	window->steady = true;
	window->low = align_down(larger(at - window->run, 0), PAGE);
	ahead = smaller(note_reach(file, fd, here), PROVING_READAHEAD);
	window->high = is_read_ahead(file, fd, here, ahead) ? here + ahead : here;
	if (window->run && file_before(file) == BEFORE_NOTHING)
		units_own(file, window->low, at + PROVING_READAHEAD);
	else if (window->run && file_before(file) == BEFORE_UNKNOWN)
		units_own(file, window->low, at);
}

/*
 * Asks for [from, to). One advice brings in no more than the device's readahead or optimal
 * request size (mm/readahead.c, force_page_cache_ra()), hence the pieces: the largest that was
 * seen to come in whole.
 */
static void ask_for(struct file *file, int fd, int64_t from, int64_t to)
{
	static _Atomic int64_t piece = UNIT;
	int64_t length = atomic_load_explicit(&piece, memory_order_relaxed);

	for (int64_t at = from; at < to; at += length) {
		int64_t n = smaller(length, to - at);

		sys_advise(fd, at, n, POSIX_FADV_WILLNEED);
		while (length > ASK_LEAST && file->probe == PROBE_CACHESTAT && n > ASK_LEAST &&
		       residency_bytes(file->probe, fd, at, n) < align_down(n, PAGE)) {
			length = align_down(length / 2, PAGE);
			n = smaller(length, n);
			atomic_store_explicit(&piece, length, memory_order_relaxed);
		}
	}
}

/* Asks again where pages have gone before they were read: another stream of the file drops them. */
static void ask_again(struct file *file, int fd, int64_t from, int64_t to)
{
	if (from >= to || file->probe != PROBE_CACHESTAT ||
	    residency_bytes(file->probe, fd, from, to - from) >= to - from)
		return;
	file->reading.company = true;
	units_regain(file, fd, from, to);
	ask_for(file, fd, from, to);
}

/*
 * Looks whether all that is behind the stream is gone, but for a folio that reaches over the edge:
 * what is cached there at the end has come back by somebody else. What stays is left to the end.
 */
static void note_clean(struct file *file, int fd, int64_t behind)
{
	struct window *window = &file->reading;
	int64_t clean = align_down(behind, FOLIO_MAX);

	if (clean > window->clean && clean - window->clean <= WINDOW_HALF_MOST &&
	    residency_bytes(file->probe, fd, window->clean, clean - window->clean) <= 0)
		window->clean = clean;
}

/* Whether more is likely to follow: not after a jump out of all that was asked for. */
static bool goes_on(const struct window *window, int64_t at)
{
	return align_down(at, PAGE) <= window->high && (window->run || !at);
}

static int64_t end_of_asking(const struct file *file, int64_t at, int64_t n, bool onward)
{
	int64_t half = window_half(file);

	if (!onward)
		return align_up(at + n, PAGE);
	return align_up(at + n + half, half < UNIT ? PAGE : UNIT);
}

int64_t window_slide_reading(struct file *file, int fd, int64_t at, size_t n, int64_t size)
{
	struct window *window = &file->reading;
	int64_t here = align_down(at, PAGE);
	int64_t behind = here - behind_reader(file);
	int64_t wanted = smaller((int64_t)n, size);
	bool onward = goes_on(window, at);
	int64_t target = end_of_asking(file, at, wanted, onward);

	file_note_peak(file, fd);
	if (behind > window->low) {
		units_release(file, fd, window->low, smaller(behind, window->high + UNIT));
		window->low = behind;
		note_clean(file, fd, behind);
	}
	window->high = larger(window->high, here);
	ask_again(file, fd, here, smaller(window->high, align_down(size, PAGE)));
	target = smaller(target, align_up(size, PAGE));
	if (target > window->high) {
		units_learn(file, fd, window->high, target);
		ask_for(file, fd, window->high, target);
		window->high = target;
		window->reach = larger(window->reach, target);
	}
	room_take(window, window->high - window->low);
	return onward ? window_step(file) : wanted;
}

void window_stop_reading(struct file *file, int fd, int64_t at)
{
	struct window *window = &file->reading;

	if (window->steady)
		units_release(file, fd, window->low, window->high);
	if (file->advised)
		sys_advise(fd, 0, 0, POSIX_FADV_NORMAL);
	file->advised = false;
	window->steady = false;
	window->low = window->high = align_down(at, PAGE);
	window_strays(window);
	room_take(window, 0);
}
