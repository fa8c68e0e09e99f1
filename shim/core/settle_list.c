/* settle_list.c - the entries of closed files that are still to be written out and released. */
#include "settle_list.h"

#include "settle.h"
#include "sys.h"

#include <linux/stat.h>

struct settle_entry settle_entries[SETTLE_ENTRIES];

/* The inode of each entry in use, or 0: looked through at every open, so in few cache lines. */
static _Atomic uint64_t inodes[SETTLE_ENTRIES];

static _Atomic int in_use;     /* entries that are not free */
static _Atomic int listed;     /* entries that are listed, */
static _Atomic uint64_t bytes; /* and their bytes */

bool settle_take(struct settle_entry *entry, enum settle_state from)
{
	int state = (int)from;

	if (atomic_load_explicit(&entry->state, memory_order_relaxed) != state)
		return false;
	if (!atomic_compare_exchange_strong_explicit(&entry->state, &state, SETTLE_BUSY,
						     memory_order_acquire, memory_order_relaxed))
		return false;
	if (from == SETTLE_LISTED) {
		atomic_fetch_sub_explicit(&listed, 1, memory_order_relaxed);
		atomic_fetch_sub_explicit(&bytes, entry->bytes, memory_order_relaxed);
	}
	return true;
}

static void know(const struct settle_entry *entry, uint64_t ino)
{
	atomic_store_explicit(&inodes[entry - settle_entries], ino, memory_order_relaxed);
}

static struct settle_entry *take_any(enum settle_state from)
{
	for (int i = 0; i < SETTLE_ENTRIES; i++)
		if (settle_take(&settle_entries[i], from))
			return &settle_entries[i];
	return NULL;
}

/* What is held gives way: small files that find no room would be waited for. */
struct settle_entry *settle_take_free(uint64_t dev, uint64_t ino)
{
	struct settle_entry *entry = take_any(SETTLE_FREE);

	if (entry)
		atomic_fetch_add_explicit(&in_use, 1, memory_order_relaxed);
	else
		entry = take_any(SETTLE_HELD);
	if (!entry)
		return NULL;
	entry->dev = dev;
	entry->ino = ino;
	atomic_store_explicit(&entry->fd, -1, memory_order_relaxed);
	know(entry, ino);
	return entry;
}

void settle_put(struct settle_entry *entry, enum settle_state to)
{
	if (to == SETTLE_FREE) {
		know(entry, 0);
		atomic_fetch_sub_explicit(&in_use, 1, memory_order_relaxed);
	} else if (to == SETTLE_LISTED) {
		atomic_fetch_add_explicit(&listed, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&bytes, entry->bytes, memory_order_relaxed);
	}
	atomic_store_explicit(&entry->state, (int)to, memory_order_release);
}

bool settle_is_of(const struct settle_entry *entry, const struct statx *st)
{
	return entry->ino == st->stx_ino && entry->dev == file_dev(st);
}

bool settle_any(void)
{
	return atomic_load_explicit(&in_use, memory_order_relaxed) > 0;
}

struct settle_entry *settle_next(struct settle_entry *after, uint64_t ino)
{
	long i = after ? after - settle_entries + 1 : 0;

	for (; i < SETTLE_ENTRIES; i++)
		if (atomic_load_explicit(&inodes[i], memory_order_relaxed) == ino)
			return &settle_entries[i];
	return NULL;
}

int settle_listed(void)
{
	return atomic_load_explicit(&listed, memory_order_relaxed);
}

uint64_t settle_listed_bytes(void)
{
	return atomic_load_explicit(&bytes, memory_order_relaxed);
}

/* What another thread of the parent has open just now was copied, too. */
static void close_copy(struct settle_entry *entry)
{
	int fd = -1;

	if (atomic_load_explicit(&entry->state, memory_order_relaxed) == SETTLE_BUSY)
		fd = atomic_exchange_explicit(&entry->fd, -1, memory_order_relaxed);
	if (fd >= 0)
		sys_close(fd);
}

void settle_forget(void)
{
	for (int i = 0; i < SETTLE_ENTRIES; i++) {
		close_copy(&settle_entries[i]);
		know(&settle_entries[i], 0);
		atomic_store_explicit(&settle_entries[i].state, SETTLE_FREE, memory_order_relaxed);
	}
	atomic_store_explicit(&in_use, 0, memory_order_relaxed);
	atomic_store_explicit(&listed, 0, memory_order_relaxed);
	atomic_store_explicit(&bytes, 0, memory_order_relaxed);
}
