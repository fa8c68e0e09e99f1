/* stream_end.c - what is released when the program is done with a file. */
#include "stream_window.h"

#include "mappings.h"
#include "sys.h"
#include "units.h"
#include "writeback.h"

#include <linux/stat.h>

/* Written bytes from which the end of a stream waits for its last window. */
enum { MANY_WRITTEN = 4 * 1024 * 1024 };

static bool all_is_own(const struct file *file)
{
	return !file_treatment(file)->keep || (file_before(file) == BEFORE_NOTHING && !file->keeps);
}

bool window_is_left(struct file *file)
{
	struct file *other = NULL;

	if (atomic_load_explicit(&file->shared, memory_order_relaxed) && all_is_own(file) &&
	    !file_to_settle(file) && !atomic_load_explicit(&file->mapped, memory_order_relaxed))
		other = file_twin_of(file);
	if (!other || file_policy(other) != POLICY_DONTNEED || !all_is_own(other))
		return false;
	atomic_store_explicit(&other->heir, true, memory_order_relaxed);
	return true;
}

/* Whether the program did no more than read the file from one end of a stream to the other. */
static bool only_streamed(const struct file *file)
{
	return file_treatment(file)->keep && !file->inherited && file->reading.reach > 0 &&
	       !file_counted(file, COUNT_written) &&
	       !atomic_load_explicit(&file->reading.jumps, memory_order_relaxed) &&
	       !atomic_load_explicit(&file->mapped, memory_order_relaxed) &&
	       !atomic_load_explicit(&file->shared, memory_order_relaxed) &&
	       !atomic_load_explicit(&file->crowded, memory_order_relaxed) &&
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
	if (file_to_settle(file))
		window_release_written(file, fd, writing->low, align_up(size, PAGE));
	reading->low = reading->high;
}

static bool is_of(const struct statx *st, void *data)
{
	const struct file *file = data;

	return st->stx_ino == file->ino && file_dev(st) == file->dev;
}

enum stream_rest window_end(struct file *file, int fd, int64_t size, enum stream_end how)
{
	uint64_t written = file_to_settle(file);
	bool mapped = atomic_load_explicit(&file->mapped, memory_order_relaxed);

	file_note_peak(file, fd);
	if (written || atomic_load_explicit(&file->mapped_writable, memory_order_relaxed)) {
		if (written < MANY_WRITTEN && how == STREAM_CLOSES)
			return STREAM_DIRTY;
		sys_writeout(fd, 0, 0);
		writeback_wait(file, fd, 0, size);
	}
	if (mapped && how == STREAM_EXITS && all_is_own(file))
		mappings_give_up(is_of, file);
	release_all(file, fd, size);
	if (!mapped || size < UNIT)
		return STREAM_DONE;
	/* What moved through a mapping is in no figure of the record. */
	if (how == STREAM_EXITS || residency_bytes(file->probe, fd, 0, size) > 0)
		file_note(file, REASON_MAPPED);
	return STREAM_DIRTY;
}
