/* settle.c - the list of closed files that are still to be written out and released. */
#include "settle.h"

#include "sys.h"
#include "text.h"
#include "units.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>

enum { ENTRIES = 64, PATH_ROOM = 240, ENOUGH = 4 * 1024 * 1024 };

enum state { FREE, BUSY, LISTED };

static struct entry {
	_Atomic int state;
	uint64_t dev, ino;
	int64_t keep_below;
	uint64_t bytes;
	enum probe probe;
	bool blind;
	char path[PATH_ROOM];
} entries[ENTRIES];

static _Atomic uint64_t gathered;
static _Atomic int listed;
static _Atomic bool refrained;

static bool take(struct entry *entry, int from)
{
	return atomic_compare_exchange_strong_explicit(&entry->state, &from, BUSY,
						       memory_order_acquire, memory_order_relaxed);
}

static void put(struct entry *entry, enum state state)
{
	if (state == FREE) {
		atomic_fetch_sub_explicit(&gathered, entry->bytes, memory_order_relaxed);
		atomic_fetch_sub_explicit(&listed, 1, memory_order_relaxed);
	}
	atomic_store_explicit(&entry->state, state, memory_order_release);
}

static bool fill(struct entry *entry, const struct file *file, int fd, uint64_t bytes)
{
	char link[32];
	struct text text = text_over(link, sizeof(link));
	long n;

	text_string(&text, "/proc/self/fd/");
	text_signed(&text, fd);
	n = sys_readlink(text_end(&text), entry->path, PATH_ROOM - 1);
	if (n <= 0 || n >= PATH_ROOM - 1 || entry->path[0] != '/')
		return false;
	entry->path[n] = '\0';
	entry->dev = file->dev;
	entry->ino = file->ino;
	entry->keep_below = file->before == BEFORE_NOTHING ? 0 : align_up(file->old_size, PAGE);
	entry->probe = file->probe;
	entry->blind = file->blind;
	entry->bytes = bytes;
	return true;
}

bool settle_later(const struct file *file, int fd, uint64_t bytes)
{
	if (settle_refrains() || file->keeps)
		return false;
	for (int i = 0; i < ENTRIES; i++) {
		struct entry *entry = &entries[i];

		if (!take(entry, FREE))
			continue;
		atomic_fetch_add_explicit(&listed, 1, memory_order_relaxed);
		entry->bytes = 0;
		if (!fill(entry, file, fd, bytes)) {
			put(entry, FREE);
			return false;
		}
		atomic_fetch_add_explicit(&gathered, bytes, memory_order_relaxed);
		put(entry, LISTED);
		return true;
	}
	return false;
}

bool settle_claim(uint64_t dev, uint64_t ino)
{
	bool found = false;

	if (!atomic_load_explicit(&listed, memory_order_relaxed))
		return false;
	for (int i = 0; i < ENTRIES; i++) {
		struct entry *entry = &entries[i];
		bool same;

		if (!take(entry, LISTED))
			continue;
		same = entry->dev == dev && entry->ino == ino;
		found |= same;
		put(entry, same ? FREE : LISTED);
	}
	return found;
}

static long reopen(int path_fd)
{
	char link[32];
	struct text text = text_over(link, sizeof(link));

	text_string(&text, "/proc/self/fd/");
	text_signed(&text, path_fd);
	return sys_openat(AT_FDCWD, text_end(&text), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
			  0);
}

/*
 * The entry's file opened again, if that name still means it and this process has it open no
 * more; else < 0. What the name means is found by O_PATH: the close of any other descriptor would
 * release the program's record locks on that file (fs/open.c, filp_close).
 */
static int open_again(const struct entry *entry)
{
	long found = sys_openat(AT_FDCWD, entry->path, O_PATH | O_CLOEXEC | O_NOFOLLOW, 0), fd = -1;
	struct file like = {.dev = entry->dev, .ino = entry->ino};
	struct statx st;

	if (sys_failed(found))
		return -1;
	if (!file_twin_of(&like) && file_confirm(&like, (int)found, &st))
		fd = reopen((int)found);
	sys_close((int)found);
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

	if (fd < 0)
		return;
	writeback_wait(&like, fd, 0, INT64_MAX);
	pages_release(entry->probe, fd, entry->keep_below, INT64_MAX - entry->keep_below);
	sys_close(fd);
}

/* All write-outs are started before the first is waited for. */
void settle_all(void)
{
	if (!atomic_load_explicit(&listed, memory_order_relaxed))
		return;
	for (int i = 0; i < ENTRIES; i++) {
		if (!take(&entries[i], LISTED))
			continue;
		start(&entries[i]);
		put(&entries[i], LISTED);
	}
	for (int i = 0; i < ENTRIES; i++) {
		if (!take(&entries[i], LISTED))
			continue;
		finish(&entries[i]);
		put(&entries[i], FREE);
	}
}

void settle_some(void)
{
	if (atomic_load_explicit(&gathered, memory_order_relaxed) >= ENOUGH ||
	    atomic_load_explicit(&listed, memory_order_relaxed) >= ENTRIES / 2)
		settle_all();
}

void settle_forget(void)
{
	for (int i = 0; i < ENTRIES; i++)
		atomic_store_explicit(&entries[i].state, FREE, memory_order_relaxed);
	atomic_store_explicit(&gathered, 0, memory_order_relaxed);
	atomic_store_explicit(&listed, 0, memory_order_relaxed);
}

void settle_refrain(void)
{
	atomic_store_explicit(&refrained, true, memory_order_relaxed);
}

bool settle_refrains(void)
{
	return atomic_load_explicit(&refrained, memory_order_relaxed);
}
