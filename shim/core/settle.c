/* settle.c - closed files that still need something, and the names that they have by now. */
#include "settle.h"
#include "settle_list.h"

#include "fdlink.h"
#include "sys.h"
#include "text.h"

#include <fcntl.h>
#include <linux/stat.h>

/* A batch is started once it holds so many files or bytes; then the one before is finished. */
enum { BATCH_FILES = SETTLE_ENTRIES / 4, BATCH_BYTES = 4 * 1024 * 1024 };

static _Atomic bool refrained;

static bool fill(struct settle_entry *entry, const struct file *file, int fd, uint64_t written)
{
	if (fdlink_path(fd, entry->path, SETTLE_PATH_ROOM) <= 0 || entry->path[0] != '/')
		return false;
	entry->keep_below =
		file_before(file) == BEFORE_NOTHING ? 0 : align_up(file->old_size, PAGE);
	entry->probe = file->probe;
	entry->blind = file->blind;
	entry->mapped = atomic_load_explicit(&file->mapped, memory_order_relaxed);
	entry->bytes = written;
	return true;
}

bool settle_later(const struct file *file, int fd, uint64_t written)
{
	struct settle_entry *entry;
	bool filled;

	if (settle_refrains() || file->keeps || !(entry = settle_take_free(file->dev, file->ino)))
		return false;
	filled = fill(entry, file, fd, written);
	settle_put(entry, filled ? SETTLE_LISTED : SETTLE_FREE);
	return filled;
}

/* Where the file's own part ended, or -1 where the entry is not the file's. */
static int64_t claim(struct settle_entry *entry, enum settle_state state, uint64_t dev,
		     uint64_t ino, uint64_t *bytes)
{
	int64_t keep_below = -1;

	if (!settle_take(entry, state))
		return -1;
	if (entry->ino == ino && entry->dev == dev) {
		keep_below = entry->keep_below;
		*bytes += entry->bytes;
	}
	settle_put(entry, keep_below < 0 ? state : SETTLE_FREE);
	return keep_below;
}

int64_t settle_claim(uint64_t dev, uint64_t ino, uint64_t *bytes)
{
	struct settle_entry *entry = NULL;
	int64_t kept = -1;

	if (!settle_any())
		return kept;
	while ((entry = settle_next(entry, ino))) {
		for (int state = SETTLE_LISTED; state <= SETTLE_HELD; state++)
			kept = larger(kept, claim(entry, state, dev, ino, bytes));
	}
	return kept;
}

/* An absolute name for `path` below `dir`; it need not be the shortest. */
static bool name(struct text *name, int dir, const char *path)
{
	long n;

	if (path[0] != '/') {
		n = dir == AT_FDCWD ? sys_getcwd(name->start, SETTLE_PATH_ROOM) - 1
				    : fdlink_path(dir, name->start, SETTLE_PATH_ROOM);
		if (n <= 0 || name->start[0] != '/')
			return false;
		name->at += n;
		text_byte(name, '/');
	}
	text_string(name, path);
	text_end(name);
	return !name->cut;
}

static void rename_entry(struct settle_entry *entry, enum settle_state state, int dir,
			 const char *path, const struct statx *st)
{
	struct text text = text_over(entry->path, SETTLE_PATH_ROOM);
	bool named;

	if (!settle_take(entry, state))
		return;
	named = !settle_is_of(entry, st) || name(&text, dir, path);
	settle_put(entry, named ? state : SETTLE_FREE);
}

void settle_renamed(int dir, const char *path)
{
	struct settle_entry *entry = NULL;
	struct statx st;

	if (!settle_any() || sys_failed(sys_stat_at(dir, path, &st)))
		return;
	while ((entry = settle_next(entry, st.stx_ino))) {
		for (int state = SETTLE_LISTED; state <= SETTLE_HELD; state++)
			rename_entry(entry, state, dir, path, &st);
	}
}

void settle_some(void)
{
	if (settle_listed() >= BATCH_FILES || settle_listed_bytes() >= BATCH_BYTES)
		settle_batch();
}

void settle_refrain(void)
{
	atomic_store_explicit(&refrained, true, memory_order_relaxed);
}

bool settle_refrains(void)
{
	return atomic_load_explicit(&refrained, memory_order_relaxed);
}
