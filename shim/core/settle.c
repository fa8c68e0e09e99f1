/* settle.c - what closed files still need: names followed, write-out started, pages released. */
#include "settle.h"
#include "settle_list.h"

#include "fdlink.h"
#include "mappings.h"
#include "sys.h"
#include "text.h"
#include "units.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>

/* A batch is started once it holds so many files or bytes; then the one before is finished. */
enum { BATCH_FILES = SETTLE_ENTRIES / 4, BATCH_BYTES = 4 * 1024 * 1024 };

static _Atomic bool refrained;
static _Atomic bool any_mapped; /* some file was closed that the program may have mapped */

static bool fill(struct settle_entry *entry, const struct file *file, int fd, uint64_t written)
{
	if (fdlink_path(fd, entry->path, SETTLE_PATH_ROOM) <= 0 || entry->path[0] != '/')
		return false;
	entry->keep_below =
		file_before(file) == BEFORE_NOTHING ? 0 : align_up(file->old_size, PAGE);
	entry->probe = file->probe;
	entry->blind = file->blind;
	entry->mapped = atomic_load_explicit(&file->mapped, memory_order_relaxed);
	if (entry->mapped)
		atomic_store_explicit(&any_mapped, true, memory_order_relaxed);
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

static bool is_of(const struct settle_entry *entry, uint64_t dev, uint64_t ino)
{
	return entry->ino == ino && entry->dev == dev;
}

/* Where the file's own part ended, or -1 where the entry is not the file's. */
static int64_t claim(struct settle_entry *entry, enum settle_state state, uint64_t dev,
		     uint64_t ino, uint64_t *bytes)
{
	int64_t keep_below = -1;

	if (!settle_take(entry, state))
		return -1;
	if (is_of(entry, dev, ino)) {
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
	named = !is_of(entry, file_dev(st), st->stx_ino) || name(&text, dir, path);
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

/*
 * The entry's file opened again, if that name still means it and the program has it not open;
 * else < 0. The close of a descriptor drops the process's record locks on the file, whoever took
 * them (fs/open.c, filp_flush()), so the name is looked at before it is opened. Another file that
 * takes it just then stays open if it is locked.
 */
static int open_again(const struct settle_entry *entry, struct statx *st)
{
	struct file like = {.dev = entry->dev, .ino = entry->ino};
	long fd;

	if (settle_refrains() || file_twin_of(&like) ||
	    sys_failed(sys_stat_at(AT_FDCWD, entry->path, st)) ||
	    !is_of(entry, file_dev(st), st->stx_ino))
		return -1;
	fd = sys_openat(AT_FDCWD, entry->path,
			O_RDONLY | O_LARGEFILE | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return -1;
	if (file_confirm(&like, (int)fd, st))
		return (int)fd;
	if (sys_lock_on((int)fd) == F_UNLCK)
		sys_close((int)fd);
	return -1;
}

static bool start(const struct settle_entry *entry, int fd, int64_t size)
{
	(void)entry, (void)size;
	sys_writeout(fd, 0, 0);
	return true;
}

static bool await(const struct settle_entry *entry, int fd, int64_t size)
{
	struct file like = {.probe = entry->probe, .blind = entry->blind};

	(void)size;
	writeback_wait(&like, fd, 0, INT64_MAX);
	return true;
}

static bool finish(const struct settle_entry *entry, int fd, int64_t size)
{
	await(entry, fd, size);
	return pages_release(entry->probe, fd, entry->keep_below, size, PATIENCE_SETTLED) ||
	       !entry->mapped;
}

/* Takes every entry in state `from` one step on; where that does not work out, it is held. */
static void step(enum settle_state from, enum settle_state to,
		 bool (*work)(const struct settle_entry *, int, int64_t))
{
	bool allowed = writeback_allowed();
	struct settle_entry *entry;
	struct statx st;
	bool done;
	int fd;

	for (int i = 0; i < SETTLE_ENTRIES; i++) {
		entry = &settle_entries[i];
		if (!settle_take(entry, from))
			continue;
		fd = allowed ? open_again(entry, &st) : -1;
		done = fd < 0 || work(entry, fd, file_size(&st));
		if (fd >= 0)
			sys_close(fd);
		settle_put(entry, done ? to : SETTLE_HELD);
	}
}

/* What was started a batch ago is on the disk by now: nobody waits. */
void settle_some(void)
{
	if (settle_listed() < BATCH_FILES && settle_listed_bytes() < BATCH_BYTES)
		return;
	step(SETTLE_STARTED, SETTLE_FREE, finish);
	step(SETTLE_LISTED, SETTLE_STARTED, start);
}

void settle_all(void)
{
	if (!settle_any())
		return;
	step(SETTLE_LISTED, SETTLE_STARTED, start);
	step(SETTLE_STARTED, SETTLE_FREE, finish);
}

/* Whether a file is on the list, and nothing of it was cached before. */
static bool may_go(const struct statx *st, void *data)
{
	struct settle_entry *entry = NULL;
	bool may = false;

	(void)data;
	while (!may && (entry = settle_next(entry, st->stx_ino))) {
		if (!settle_take(entry, SETTLE_STARTED))
			continue;
		may = is_of(entry, file_dev(st), st->stx_ino) && !entry->keep_below;
		settle_put(entry, SETTLE_STARTED);
	}
	return may;
}

/* Pages that are dirty cannot be given up, so their write-out is waited for. */
void settle_at_end(void)
{
	if (!settle_any())
		return;
	step(SETTLE_HELD, SETTLE_STARTED, start);
	step(SETTLE_LISTED, SETTLE_STARTED, start);
	if (atomic_load_explicit(&any_mapped, memory_order_relaxed)) {
		step(SETTLE_STARTED, SETTLE_STARTED, await);
		mappings_give_up(may_go, NULL);
	}
	step(SETTLE_STARTED, SETTLE_FREE, finish);
}

void settle_refrain(void)
{
	atomic_store_explicit(&refrained, true, memory_order_relaxed);
}

bool settle_refrains(void)
{
	return atomic_load_explicit(&refrained, memory_order_relaxed);
}
