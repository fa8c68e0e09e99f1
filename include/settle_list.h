/*
 * settle_list.h - the list behind settle.h: entries that go from one state to the next.
 *
 * An entry that is taken is the taker's alone until it is put back. Nothing waits: what another
 * thread, or the code that a signal interrupted, has taken is left out.
 */
#ifndef NOCACHE_SETTLE_LIST_H
#define NOCACHE_SETTLE_LIST_H

#include "file.h"

#include <stdbool.h>
#include <stdint.h>

enum { SETTLE_ENTRIES = 256, SETTLE_PATH_ROOM = 240 };

/*
 * Not in use; taken; its file is to be written out; write-out was started; the program still had
 * it mapped when it was to be released, so that waits for the program's end.
 */
enum settle_state { SETTLE_FREE, SETTLE_BUSY, SETTLE_LISTED, SETTLE_STARTED, SETTLE_HELD };

struct settle_entry {
	_Atomic int state;
	uint64_t dev, ino;
	int64_t keep_below;
	uint64_t bytes;
	enum probe probe;
	bool blind;
	_Atomic int fd; /* while it is opened again; -1: it is not */
	bool mapped;    /* when it was closed, the program had, or had had, a mapping of it */
	char path[SETTLE_PATH_ROOM];
};

struct statx;

extern struct settle_entry settle_entries[SETTLE_ENTRIES];

/* Takes an entry that is in this state. */
bool settle_take(struct settle_entry *entry, enum settle_state from);

/* Takes one that is free, or else held, and gives it to the file; NULL where there is none. */
struct settle_entry *settle_take_free(uint64_t dev, uint64_t ino);

void settle_put(struct settle_entry *entry, enum settle_state to);

/* Whether the taken entry is that of the file that `st` describes. */
bool settle_is_of(const struct settle_entry *entry, const struct statx *st);

/* Whether any entry is in use. */
bool settle_any(void);

/* The first, or next, entry that may be this inode's, taken or not; NULL after the last. */
struct settle_entry *settle_next(struct settle_entry *after, uint64_t ino);

/* Finishes what was started, and starts what is listed (settle_steps.c). */
void settle_batch(void);

/* How many are SETTLE_LISTED, and their bytes. */
int settle_listed(void);
uint64_t settle_listed_bytes(void);

#endif
