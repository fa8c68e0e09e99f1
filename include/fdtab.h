/*
 * fdtab.h - what is known of each descriptor number.
 *
 * Lock-free; callable from signal handlers. Memory comes in chunks as numbers are used, never in
 * proportion to RLIMIT_NOFILE; numbers from FDTAB_LIMIT on are simply left alone.
 */
#ifndef NOCACHE_FDTAB_H
#define NOCACHE_FDTAB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { FDTAB_CHUNK = 1024, FDTAB_CHUNKS = 1024, FDTAB_LIMIT = FDTAB_CHUNK * FDTAB_CHUNKS };

/* A slot holds one of these or the address of a struct file. */
#define FD_UNKNOWN ((uintptr_t)0) /* not looked at yet */
#define FD_ALONE ((uintptr_t)1)   /* looked at, and left alone */
#define FD_HIDDEN ((uintptr_t)2)  /* a descriptor of the shim's own, shown as free */
#define FD_OPENED ((uintptr_t)3)  /* not looked at yet, but this process opened it */

typedef _Atomic(uintptr_t) fdtab_slot;
extern _Atomic(fdtab_slot *) fdtab_chunks[FDTAB_CHUNKS];

/* The slot of a number, or FD_ALONE for a number that no descriptor of ours can have. */
static inline uintptr_t fdtab_get(int fd)
{
	fdtab_slot *chunk;

	if ((unsigned)fd >= FDTAB_LIMIT)
		return FD_ALONE;
	/* Acquire pairs with the release that published the chunk, and the record. */
	chunk = atomic_load_explicit(&fdtab_chunks[fd / FDTAB_CHUNK], memory_order_acquire);
	return chunk ? atomic_load_explicit(&chunk[fd % FDTAB_CHUNK], memory_order_acquire)
		     : FD_UNKNOWN;
}

/* Whether a slot is the address of a record. */
static inline bool fdtab_is_record(uintptr_t slot)
{
	return slot > FD_OPENED;
}

/* Puts `slot` there and returns what was there; FD_ALONE and no change where there is no room. */
uintptr_t fdtab_swap(int fd, uintptr_t slot);

/* Changes the slot from `old` to `slot`; returns whether it did. */
bool fdtab_change(int fd, uintptr_t old, uintptr_t slot);

/* A child is made: what was opened may be its as well, and is FD_UNKNOWN. */
void fdtab_forget_opened(void);

/* Calls visit() with every number in [first, last] that has a record. */
void fdtab_each(unsigned first, unsigned last, void (*visit)(int fd, uintptr_t slot, void *data),
		void *data);

#endif
