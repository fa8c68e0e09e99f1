/* settle_steps.c - closed files are opened again: their write-out starts, their pages go. */
#include "settle.h"
#include "settle_list.h"

#include "mappings.h"
#include "sys.h"
#include "units.h"
#include "writeback.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>

/* Files of a batch that are open at a time: a fast device is done with one before it is closed. */
enum { OPEN_AT_ONCE = 16 };

/* Another file that took the name while it was opened stays open if it is locked. */
static void close_unlocked(int fd)
{
	if (sys_lock_on(fd) == F_UNLCK)
		sys_close(fd);
}

/*
 * Opens the taken entry's file again, if its name still means it and the program has it not open;
 * else returns -errno. The close of a descriptor drops the process's record locks on the file,
 * whoever took them (fs/open.c, filp_flush()), so the name is looked at before it is opened.
 */
static int begin(struct settle_entry *entry, int64_t *size)
{
	struct file like = {.dev = entry->dev, .ino = entry->ino};
	struct statx st;
	long fd;

	if (settle_refrains() || file_twin_of(&like) ||
	    sys_failed(sys_stat_at(AT_FDCWD, entry->path, &st)) || !settle_is_of(entry, &st))
		return -ENOENT;
	fd = sys_openat(AT_FDCWD, entry->path,
			O_RDONLY | O_LARGEFILE | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return (int)fd;
	if (!file_confirm(&like, (int)fd, &st)) {
		close_unlocked((int)fd);
		return -ENOENT;
	}
	*size = file_size(&st);
	atomic_store_explicit(&entry->fd, (int)fd, memory_order_relaxed);
	return (int)fd;
}

/* Closes the entry's file, which the program may have opened, and locked, meanwhile. */
static void end(struct settle_entry *entry, enum settle_state to)
{
	struct file like = {.dev = entry->dev, .ino = entry->ino};
	int fd = atomic_exchange_explicit(&entry->fd, -1, memory_order_relaxed);

	if (fd >= 0 && file_twin_of(&like))
		close_unlocked(fd);
	else if (fd >= 0)
		sys_close(fd);
	settle_put(entry, to);
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

	for (int i = 0; i < SETTLE_ENTRIES; i++) {
		struct settle_entry *entry = &settle_entries[i];
		int64_t size = 0;
		int fd;

		if (!settle_take(entry, from))
			continue;
		fd = allowed ? begin(entry, &size) : -EFBIG;
		end(entry, fd < 0 || work(entry, fd, size) ? to : SETTLE_HELD);
	}
}

/* A file whose write-out was started; `entry` is NULL for none. */
struct started {
	struct settle_entry *entry;
	int64_t size;
};

/* What is on the disk goes; what is not yet, or may come in by a mapping, is left for later. */
static void let_go(struct started *file)
{
	struct settle_entry *entry = file->entry;
	bool gone;
	int fd;

	file->entry = NULL;
	if (!entry)
		return;
	fd = atomic_load_explicit(&entry->fd, memory_order_relaxed);
	gone = !entry->mapped && residency_unwritten(entry->probe, fd, 0, file->size) == 0 &&
	       pages_release(entry->probe, fd, entry->keep_below, file->size, 0);
	end(entry, gone ? SETTLE_FREE : SETTLE_STARTED);
}

/* Lets go of a whole ring, beginning with its oldest at `first`. */
static void let_go_of_all(struct started *ring, unsigned first)
{
	for (unsigned i = 0; i < OPEN_AT_ONCE; i++)
		let_go(&ring[(first + i) % OPEN_AT_ONCE]);
}

/* Starts what is listed. Each file is closed when OPEN_AT_ONCE others were started after it. */
static void start_listed(void)
{
	struct started ring[OPEN_AT_ONCE] = {0};
	bool allowed = writeback_allowed();
	unsigned n = 0;

	for (int i = 0; i < SETTLE_ENTRIES; i++) {
		struct settle_entry *entry = &settle_entries[i];
		struct started *next = &ring[n % OPEN_AT_ONCE];
		int fd;

		if (!settle_take(entry, SETTLE_LISTED))
			continue;
		let_go(next);
		fd = allowed ? begin(entry, &next->size) : -EFBIG;
		if (fd == -EMFILE) {
			let_go_of_all(ring, n);
			fd = begin(entry, &next->size);
		}
		if (fd < 0) {
			end(entry, SETTLE_FREE);
			continue;
		}
		next->entry = entry;
		sys_writeout(fd, 0, 0);
		n++;
	}
	let_go_of_all(ring, n);
}

/* What was started a batch ago is on the disk by now: nobody waits. */
void settle_batch(void)
{
	step(SETTLE_STARTED, SETTLE_FREE, finish);
	start_listed();
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
		may = settle_is_of(entry, st) && !entry->keep_below;
		settle_put(entry, SETTLE_STARTED);
	}
	return may;
}

/* Whether the program may have mapped a file that was started. */
static bool any_mapped(void)
{
	bool any = false;

	for (int i = 0; i < SETTLE_ENTRIES && !any; i++) {
		if (!settle_take(&settle_entries[i], SETTLE_STARTED))
			continue;
		any = settle_entries[i].mapped;
		settle_put(&settle_entries[i], SETTLE_STARTED);
	}
	return any;
}

/* Pages that are dirty cannot be given up, so their write-out is waited for. */
void settle_at_end(void)
{
	if (!settle_any())
		return;
	step(SETTLE_HELD, SETTLE_STARTED, start);
	step(SETTLE_LISTED, SETTLE_STARTED, start);
	if (any_mapped()) {
		step(SETTLE_STARTED, SETTLE_STARTED, await);
		mappings_give_up(may_go, NULL);
	}
	step(SETTLE_STARTED, SETTLE_FREE, finish);
}
