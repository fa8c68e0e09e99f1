/* settle.c - the list of closed files that are still to be written out and released. */
#include "settle.h"

#include "fdlink.h"
#include "sys.h"
#include "text.h"
#include "units.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>

enum { ENTRIES = 256, PATH_ROOM = 240 };

/* A batch is started once it holds so many files or bytes; then the one before is finished. */
enum { BATCH_FILES = ENTRIES / 4, BATCH_BYTES = 4 * 1024 * 1024 };

enum state { FREE, BUSY, LISTED, STARTED };

static struct entry {
	_Atomic int state;
	uint64_t dev, ino;
	int64_t keep_below;
	uint64_t bytes;
	enum probe probe;
	bool blind;
	char path[PATH_ROOM];
} entries[ENTRIES];

static _Atomic int in_use;     /* entries that are not FREE */
static _Atomic int listed;     /* entries that are LISTED, */
static _Atomic uint64_t bytes; /* and their bytes */
static _Atomic bool refrained;

static bool take(struct entry *entry, int from)
{
	if (!atomic_compare_exchange_strong_explicit(&entry->state, &from, BUSY,
						     memory_order_acquire, memory_order_relaxed))
		return false;
	if (from == LISTED) {
		atomic_fetch_sub_explicit(&listed, 1, memory_order_relaxed);
		atomic_fetch_sub_explicit(&bytes, entry->bytes, memory_order_relaxed);
	}
	return true;
}

static void put(struct entry *entry, enum state state)
{
	if (state == LISTED) {
		atomic_fetch_add_explicit(&listed, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&bytes, entry->bytes, memory_order_relaxed);
	}
	atomic_store_explicit(&entry->state, state, memory_order_release);
}

/* Takes an entry out of use, or into it. */
static struct entry *take_free(void)
{
	for (int i = 0; i < ENTRIES; i++) {
		if (!take(&entries[i], FREE))
			continue;
		atomic_fetch_add_explicit(&in_use, 1, memory_order_relaxed);
		return &entries[i];
	}
	return NULL;
}

static void put_free(struct entry *entry)
{
	atomic_fetch_sub_explicit(&in_use, 1, memory_order_relaxed);
	put(entry, FREE);
}

static bool fill(struct entry *entry, const struct file *file, int fd, uint64_t written)
{
	if (fdlink_path(fd, entry->path, PATH_ROOM) <= 0 || entry->path[0] != '/')
		return false;
	entry->dev = file->dev;
	entry->ino = file->ino;
	entry->keep_below = file->before == BEFORE_NOTHING ? 0 : align_up(file->old_size, PAGE);
	entry->probe = file->probe;
	entry->blind = file->blind;
	entry->bytes = written;
	return true;
}

bool settle_later(const struct file *file, int fd, uint64_t written)
{
	struct entry *entry;

	if (settle_refrains() || file->keeps || !(entry = take_free()))
		return false;
	if (!fill(entry, file, fd, written)) {
		put_free(entry);
		return false;
	}
	put(entry, LISTED);
	return true;
}

static bool claim(struct entry *entry, enum state state, uint64_t dev, uint64_t ino)
{
	if (!take(entry, state))
		return false;
	if (entry->dev != dev || entry->ino != ino) {
		put(entry, state);
		return false;
	}
	put_free(entry);
	return true;
}

/* An absolute name for `path` below `dir`; it need not be the shortest. */
static bool name(struct text *name, int dir, const char *path)
{
	long n;

	if (path[0] != '/') {
		n = dir == AT_FDCWD ? sys_getcwd(name->start, PATH_ROOM) - 1
				    : fdlink_path(dir, name->start, PATH_ROOM);
		if (n <= 0 || name->start[0] != '/')
			return false;
		name->at += n;
		text_byte(name, '/');
	}
	text_string(name, path);
	text_end(name);
	return !name->cut;
}

static void rename_entry(struct entry *entry, enum state state, int dir, const char *path,
			 const struct statx *st)
{
	struct text text = text_over(entry->path, PATH_ROOM);

	if (!take(entry, state))
		return;
	if (entry->ino != st->stx_ino || entry->dev != file_dev(st))
		put(entry, state);
	else if (name(&text, dir, path))
		put(entry, state);
	else
		put_free(entry);
}

void settle_renamed(int dir, const char *path)
{
	struct statx st;

	if (!atomic_load_explicit(&in_use, memory_order_relaxed) ||
	    sys_failed(sys_stat_at(dir, path, &st)))
		return;
	for (int i = 0; i < ENTRIES; i++) {
		rename_entry(&entries[i], LISTED, dir, path, &st);
		rename_entry(&entries[i], STARTED, dir, path, &st);
	}
}

bool settle_claim(uint64_t dev, uint64_t ino)
{
	bool found = false;

	if (!atomic_load_explicit(&in_use, memory_order_relaxed))
		return false;
	for (int i = 0; i < ENTRIES; i++) {
		found |= claim(&entries[i], LISTED, dev, ino);
		found |= claim(&entries[i], STARTED, dev, ino);
	}
	return found;
}

/*
 * The entry's file opened again, if that name still means it and the program has it not open;
 * else < 0. The close of any descriptor but an O_PATH one drops the process's record locks on
 * what it means (fs/open.c, filp_flush()), so the name is looked at through one of those first.
 */
static int open_again(const struct entry *entry)
{
	struct file like = {.dev = entry->dev, .ino = entry->ino};
	struct statx st;
	long path, fd = -1;

	if (settle_refrains() || file_twin_of(&like) || !writeback_allowed())
		return -1;
	path = sys_openat(AT_FDCWD, entry->path, O_PATH | O_CLOEXEC | O_NOFOLLOW, 0);
	if (sys_failed(path))
		return -1;
	if (file_confirm(&like, (int)path, &st))
		fd = fdlink_open((int)path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	sys_close((int)path);
	return sys_failed(fd) ? -1 : (int)fd;
}

static void start(const struct entry *entry)
{
	int fd = open_again(entry);

	if (fd < 0)
		return;
	sys_writeout(fd, 0, 0);
	sys_close(fd);
}

static void finish(const struct entry *entry)
{
	int fd = open_again(entry);
	struct file like = {.probe = entry->probe, .blind = entry->blind};
	struct statx st;

	if (fd < 0)
		return;
	writeback_wait(&like, fd, 0, INT64_MAX);
	if (!sys_failed(sys_stat(fd, &st)))
		pages_release(entry->probe, fd, entry->keep_below, file_size(&st),
			      PATIENCE_SETTLED);
	sys_close(fd);
}

static void start_listed(void)
{
	for (int i = 0; i < ENTRIES; i++) {
		if (!take(&entries[i], LISTED))
			continue;
		start(&entries[i]);
		put(&entries[i], STARTED);
	}
}

static void finish_started(void)
{
	for (int i = 0; i < ENTRIES; i++) {
		if (!take(&entries[i], STARTED))
			continue;
		finish(&entries[i]);
		put_free(&entries[i]);
	}
}

/* What was started a batch ago is on the disk by now: nobody waits. */
void settle_some(void)
{
	if (atomic_load_explicit(&listed, memory_order_relaxed) < BATCH_FILES &&
	    atomic_load_explicit(&bytes, memory_order_relaxed) < BATCH_BYTES)
		return;
	finish_started();
	start_listed();
}

void settle_all(void)
{
	if (!atomic_load_explicit(&in_use, memory_order_relaxed))
		return;
	start_listed();
	finish_started();
}

void settle_forget(void)
{
	for (int i = 0; i < ENTRIES; i++)
		atomic_store_explicit(&entries[i].state, FREE, memory_order_relaxed);
	atomic_store_explicit(&in_use, 0, memory_order_relaxed);
	atomic_store_explicit(&listed, 0, memory_order_relaxed);
	atomic_store_explicit(&bytes, 0, memory_order_relaxed);
}

void settle_refrain(void)
{
	atomic_store_explicit(&refrained, true, memory_order_relaxed);
}

bool settle_refrains(void)
{
	return atomic_load_explicit(&refrained, memory_order_relaxed);
}
