/* dontcache_effect.c - looking for the pages of the first transfers of a stream. */
#include "dontcache_effect.h"

#include "fsinfo.h"
#include "sys.h"
#include "writeback.h"

/* Pages go some time after their write-out: how often they are looked for, and how far apart. */
enum { NAPS = 20, NAP_NS = 1000000 };

/* Written bytes after which the first are looked for. */
enum { LOOK_AFTER = 4 * 1024 * 1024 };

static bool stays(const struct file *file, int fd, int64_t from, int64_t n)
{
	int64_t cached = residency_bytes(file->probe, fd, from, n);

	for (int naps = 0; cached > 0 && naps < NAPS; naps++) {
		sys_sleep(NAP_NS);
		cached = residency_bytes(file->probe, fd, from, n);
	}
	return cached != 0;
}

/* The pages are there as if there were no flag: from now on the stream sees to them alone. */
static void has_no_effect(struct file *file)
{
	atomic_store_explicit(&file->dontcached, 0, memory_order_relaxed);
	dontcache_give_up(file, REASON_NO_EFFECT);
}

static void look_for_written(struct file *file, int fd, int64_t end, int64_t moved)
{
	uint64_t done = file_dontcached(file);
	enum fsinfo_dontcache seen = FSINFO_OBEYS;

	if (done == (uint64_t)moved) {
		file->dontcache_at = align_down(end - moved, PAGE);
		file->dontcache_bytes = moved;
	}
	if (done < LOOK_AFTER)
		return;
	file->dontcache_seen = true;
	writeback_wait(file, fd, file->dontcache_at, file->dontcache_at + file->dontcache_bytes);
	if (stays(file, fd, file->dontcache_at, align_down(file->dontcache_bytes, PAGE))) {
		has_no_effect(file);
		seen = FSINFO_IGNORES;
	}
	if (!file->old_size)
		fsinfo_learn_dontcache(fd, file->dev, seen);
}

/* Where a transfer from `offset` on, or (-1) at the description's own, ended. */
static int64_t end_of(int fd, int64_t offset, int64_t moved)
{
	return offset < 0 ? sys_position(fd) : offset + moved;
}

void dontcache_look_after_write(struct file *file, int fd, int64_t offset, int64_t moved)
{
	if (file->dontcache_seen || fsinfo_dontcache(fd, file->dev) == FSINFO_OBEYS ||
	    !file_hold(file))
		return;
	look_for_written(file, fd, end_of(fd, offset, moved), moved);
	file_release(file);
}

void dontcache_look_after_read(struct file *file, int fd, int64_t offset, int64_t moved)
{
	int64_t start, half = align_down(moved / 2, PAGE);

	if (file->dontcache_seen || file_counted(file, COUNT_reads) || !file_hold(file))
		return;
	file->dontcache_seen = true;
	start = align_up(end_of(fd, offset, moved) - moved, PAGE);
	if (residency_bytes(file->probe, fd, start, half) > half / 2)
		has_no_effect(file);
	file_release(file);
}
