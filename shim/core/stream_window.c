/* stream_window.c - moving the windows of a stream: ask ahead, write out, wait, release. */
#include "stream_window.h"

#include "stream_room.h"
#include "sys.h"
#include "units.h"
#include "writeback.h"

#include <fcntl.h>

/* Written bytes from which the end of a stream waits for its last window. */
enum { MANY_WRITTEN = 4 * 1024 * 1024 };

/* What the kernel's own readahead may have brought in while the stream proved itself. */
enum { PROVING_READAHEAD = 8 * 1024 * 1024 };

/* Farther than this the kernel reads nothing ahead. */
enum { KERNEL_AHEAD = 32 * 1024 * 1024 };

/* How far ahead of a writer it is asked what is cached: more than a look and a large call. */
enum { WRITER_AHEAD = 4 * UNIT };

enum { AHEAD_MAX = 8 * 1024 * 1024, ASK_MIN = 128 * 1024 };

/* Half of the window lies ahead of a reader, half behind a writer. */
static int64_t half_window(const struct file *file)
{
	int64_t window = smaller((int64_t)file->treatment.window, room_left());

	return smaller(larger(window / 2, ASK_MIN), AHEAD_MAX);
}

int64_t window_step(const struct file *file)
{
	int64_t half = half_window(file), step = UNIT;

	while (step > half)
		step /= 2;
	return step;
}

/*
 * How far behind a writer pages may still be on their way out. Where they go by themselves
 * (dontcache.h) it is all of the window but for the unit being written and the one before the next
 * look: with half of it the disk waits for the program.
 */
static int64_t behind_writer(const struct file *file)
{
	int64_t half = half_window(file);

	return file_dontcached(file) ? larger(half, 2 * half - 2 * UNIT) : half;
}

/*
 * How far a reader lets pages lie behind it: another one that reads the file beside it finds them
 * there, and what both ask for the first to pass does not take from the other.
 */
static int64_t behind_reader(const struct file *file)
{
	return align_down(half_window(file) / 2, PAGE);
}

static void note_peak(struct file *file, int fd)
{
	if (file->accounted && file->probe == PROBE_CACHESTAT)
		file->peak = larger(file->peak, residency_bytes(file->probe, fd, 0, INT64_MAX));
}

/* The reads that prove a stream are the first to bring something in: it has no gap of a unit. */
void window_reaches(struct file *file, int fd, int64_t at)
{
	int64_t from = align_down(at, PAGE), end = from;

	while (end < from + KERNEL_AHEAD && residency_bytes(file->probe, fd, end, UNIT) != 0)
		end += UNIT;
	file->reading.reach = larger(file->reading.reach, larger(end, PAGE));
}

/* The end of what the kernel's own readahead has brought in from `at` on. */
static int64_t end_of_readahead(const struct file *file, int fd, int64_t at)
{
	int64_t n = 0;

	if (file->before == BEFORE_NOTHING)
		n = residency_bytes(file->probe, fd, at, PROVING_READAHEAD);
	return n > 0 && residency_bytes(file->probe, fd, at, n) == n ? at + n : at;
}

void window_start_reading(struct file *file, int fd, int64_t at)
{
	struct window *window = &file->reading;

	sys_advise(fd, 0, 0, POSIX_FADV_RANDOM);
	file->advised = true;
	window->steady = true;
	window->low = align_down(larger(at - window->run, 0), PAGE);
	window->high = end_of_readahead(file, fd, align_down(at, PAGE));
	window_reaches(file, fd, at);
	if (window->run && file->before == BEFORE_NOTHING)
		units_own(file, window->low, at + PROVING_READAHEAD);
	else if (window->run && file->before == BEFORE_UNKNOWN)
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
		while (length > ASK_MIN && file->probe == PROBE_CACHESTAT && n > ASK_MIN &&
		       residency_bytes(file->probe, fd, at, n) < align_down(n, PAGE)) {
			length = align_down(length / 2, PAGE);
			n = smaller(length, n);
			atomic_store_explicit(&piece, length, memory_order_relaxed);
		}
	}
}

/* Asks again where pages have gone before they were read, as another stream of the file drops them.
 */
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

	if (clean > window->clean && clean - window->clean <= AHEAD_MAX &&
	    residency_bytes(file->probe, fd, window->clean, clean - window->clean) <= 0)
		window->clean = clean;
}

void window_slide_reading(struct file *file, int fd, int64_t at, size_t n, int64_t size)
{
	struct window *window = &file->reading;
	int64_t half = half_window(file), here = align_down(at, PAGE);
	int64_t behind = here - behind_reader(file);
	int64_t target = at + (int64_t)smaller((int64_t)n, size) + half;

	note_peak(file, fd);
	if (behind > window->low) {
		units_release(file, fd, window->low, smaller(behind, window->high + UNIT));
		window->low = behind;
		note_clean(file, fd, behind);
	}
	window->high = larger(window->high, here);
	target = smaller(align_up(target, half < UNIT ? PAGE : UNIT), align_up(size, PAGE));
	ask_again(file, fd, here, smaller(window->high, align_down(size, PAGE)));
	if (target > window->high) {
		units_learn(file, fd, window->high, target);
		ask_for(file, fd, window->high, target);
		window->high = target;
		window->reach = larger(window->reach, target);
	}
	room_take(window, window->high - window->low);
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
	window->reach = INT64_MAX;
	room_take(window, 0);
}

void window_start_writing(struct file *file, int64_t at)
{
	struct window *window = &file->writing;

	window->steady = true;
	window->low = align_down(larger(at - window->run, 0), PAGE);
	window->high = window->low;
}

/* Pages of a written range that were not the file's before are the stream's own. */
static void release_written(struct file *file, int fd, int64_t from, int64_t to)
{
	int64_t own = file->before == BEFORE_NOTHING ? from : align_up(file->old_size, UNIT);

	if (larger(own, from) < to)
		units_own(file, larger(own, from), to);
	units_release(file, fd, from, to);
}

/*
 * Whose the pages are that the writer comes to next: asked before it makes them dirty. So far that
 * the next look comes before it is there, and no farther than is remembered with what lies behind.
 */
static void learn_ahead(struct file *file, int fd, int64_t at)
{
	if (file->before == BEFORE_SOME && at < file->old_size)
		units_learn(file, fd, align_down(at, UNIT),
			    smaller(at + WRITER_AHEAD, file->old_size));
}

void window_slide_writing(struct file *file, int fd, int64_t at)
{
	struct window *window = &file->writing;
	int64_t step = window_step(file);
	int64_t full = align_down(at, step), limit = full - behind_writer(file);

	note_peak(file, fd);
	if (full > window->high) {
		sys_writeout(fd, window->high, full - window->high);
		window->high = full;
	}
	if (limit > window->low) {
		writeback_wait(file, fd, window->low, limit);
		release_written(file, fd, window->low, limit);
		window->low = limit;
	}
	room_take(window, full + step - window->low);
	learn_ahead(file, fd, at);
}

void window_stop_writing(struct file *file, int64_t at)
{
	struct window *window = &file->writing;

	window->steady = false;
	window->low = window->high = align_down(at, PAGE);
	room_take(window, 0);
}

static bool all_is_own(const struct file *file)
{
	return !file->treatment.keep || (file->before == BEFORE_NOTHING && !file->keeps);
}

bool window_is_left(struct file *file)
{
	struct file *other = NULL;

	if (atomic_load_explicit(&file->shared, memory_order_relaxed) && all_is_own(file) &&
	    !file_counted(file, COUNT_written) &&
	    !atomic_load_explicit(&file->mapped, memory_order_relaxed))
		other = file_twin_of(file);
	if (!other || other->policy != POLICY_DONTNEED || !all_is_own(other))
		return false;
	atomic_store_explicit(&other->heir, true, memory_order_relaxed);
	return true;
}

/* Whether the program did no more than read the file from one end of a stream to the other. */
static bool only_streamed(const struct file *file)
{
	return file->treatment.keep && !file->inherited && file->reading.reach > 0 &&
	       !file_counted(file, COUNT_written) &&
	       !atomic_load_explicit(&file->reading.jumps, memory_order_relaxed) &&
	       !atomic_load_explicit(&file->mapped, memory_order_relaxed) &&
	       !atomic_load_explicit(&file->shared, memory_order_relaxed) &&
	       !atomic_load_explicit(&file->own_ahead, memory_order_relaxed);
}

/* All that can be the program's, where nothing was cached before; the rest came by others. */
static void release_own(struct file *file, int fd, int64_t size)
{
	long patience = file_counted(file, COUNT_read) ? PATIENCE_READING : PATIENCE_SETTLED;
	int64_t from = 0, to = align_up(size, PAGE);

	if (only_streamed(file)) {
		from = file->reading.clean;
		to = smaller(to, file->reading.reach);
	}
	units_clear(file);
	units_release(file, fd, from, to);
	pages_release(file->probe, fd, from, to, patience);
}

static void release_all(struct file *file, int fd, int64_t size)
{
	struct window *reading = &file->reading, *writing = &file->writing;

	if (all_is_own(file)) {
		release_own(file, fd, size);
		return;
	}
	if (reading->steady)
		units_release(file, fd, reading->low, reading->high);
	else if (size <= (int64_t)UNITS * UNIT && !file->inherited)
		units_release(file, fd, 0, align_up(size, PAGE));
	if (file_counted(file, COUNT_written))
		release_written(file, fd, writing->low, align_up(size, PAGE));
	reading->low = reading->high;
}

enum stream_rest window_end(struct file *file, int fd, int64_t size, bool wait)
{
	uint64_t written = file_counted(file, COUNT_written);
	bool mapped = atomic_load_explicit(&file->mapped, memory_order_relaxed);

	note_peak(file, fd);
	if (written || atomic_load_explicit(&file->mapped_writable, memory_order_relaxed)) {
		if (written < MANY_WRITTEN && !wait)
			return STREAM_DIRTY;
		sys_writeout(fd, 0, 0);
		writeback_wait(file, fd, 0, size);
	}
	release_all(file, fd, size);
	if (!mapped || size < UNIT)
		return STREAM_DONE;
	if (residency_bytes(file->probe, fd, 0, size) > 0)
		file_note(file, REASON_MAPPED);
	return STREAM_DIRTY;
}
