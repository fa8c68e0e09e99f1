/* stream_writing.c - the window of a writer: write out behind it, wait, release. */
#include "stream_window.h"

#include "stream_room.h"
#include "sys.h"
#include "units.h"
#include "writeback.h"

/* How far ahead of a writer it is asked what is cached: more than a look and a large call. */
enum { WRITER_AHEAD = 4 * UNIT };

/*
 * How far behind a writer pages may still be on their way out. Where they go by themselves
 * (dontcache.h) it is all of the window but for the unit being written and the one before the next
 * look: with half of it the disk waits for the program.
 */
static int64_t behind_writer(const struct file *file)
{
	int64_t half = window_half(file);

	return file_dontcached(file) ? larger(half, 2 * half - 2 * UNIT) : half;
}

void window_start_writing(struct file *file, int64_t at)
{
	struct window *window = &file->writing;

	window->steady = true;
	window->low = align_down(larger(at - window->run, 0), PAGE);
	window->high = window->low;
}

void window_release_written(struct file *file, int fd, int64_t from, int64_t to)
{
	int64_t own = file_before(file) == BEFORE_NOTHING ? from : align_up(file->old_size, UNIT);

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
	if (file_before(file) == BEFORE_SOME && at < file->old_size)
		units_learn(file, fd, align_down(at, UNIT),
			    smaller(at + WRITER_AHEAD, file->old_size));
}

void window_slide_writing(struct file *file, int fd, int64_t at)
{
	struct window *window = &file->writing;
	int64_t step = window_step(file);
	int64_t full = align_down(at, step), limit = full - behind_writer(file);

	file_note_peak(file, fd);
	if (full > window->high) {
		sys_writeout(fd, window->high, full - window->high);
		window->high = full;
	}
	if (limit > window->low) {
		writeback_wait(file, fd, window->low, limit);
		window_release_written(file, fd, window->low, limit);
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
