/*
 * relaxed_file.h - what relaxed.h keeps of one open file description.
 *
 * Whoever works on it holds it. Its own thread holds it while it copies bytes from or to the
 * program, which a signal handler may interrupt; for everything else signals are held back. A
 * call in such a handler settles what was complete and marks it `broken`: the interrupted call
 * then starts over by the kernel, as if it had come after the handler. So nobody waits for
 * somebody who waits for him, and a handler that never returns does no harm. Another thread
 * waits for the holder, for it is soon done.
 *
 * A handler may also come between settling and the kernel's own call. So nothing begins in one:
 * there the signal is held back that was not when the file was opened (sigaction(2), SA_NODEFER,
 * is for who wants trouble).
 */
#ifndef NOCACHE_RELAXED_FILE_H
#define NOCACHE_RELAXED_FILE_H

#include "bounce.h"
#include "direct_file.h"
#include "relaxed.h"
#include "usermem.h"

#include <stddef.h>

/* OWING: the kernel has the offset, but could not take all bytes. */
enum relaxed_kind { RELAXED_NOT, RELAXED_READING, RELAXED_WRITING, RELAXED_OWING };

enum {
	RELAXED_MOST = 64 * 1024,  /* bytes of a request that is worth gathering */
	RELAXED_LEAST = 64 * 1024, /* bytes of a file, and of a block, that are worth it */
	RELAXED_PATIENCE = 2,      /* calls in sequence that make it likely that more come */
	RELAXED_STOPPED = 1,       /* for a thread's address */
};

struct relaxed {
	_Atomic uintptr_t holder; /* the thread, 0 for none */
	_Atomic uintptr_t
		user; /* the thread whose file it is: 0 not known yet, or RELAXED_STOPPED */
	struct file *file;
	int fd;           /* the descriptor that it was begun with */
	_Atomic int kind; /* enum relaxed_kind */

	_Atomic int64_t at; /* the program's offset */
	_Atomic bool broken;
	int64_t broken_at; /* the offset when it was */
	int64_t begun;     /* where the offset was when it was counted last */
	uint64_t calls;    /* since then */

	struct direct *direct; /* held from beginning to settling */
	const char *data;      /* reading: the file's bytes [from, to) */
	int64_t from;
	int64_t to;

	struct bounce gather; /* writing: its first byte is that of the file at `base` */
	int64_t room;         /* bytes from there */
	int64_t base;
	int64_t start; /* [start, end) are to be written; WRITING: the end is `at` */
	int64_t end;

	uint64_t mask;         /* signals that were held back when the program opened it */
	struct usermem buffer; /* where the program lately had its bytes */
	_Atomic int run;       /* calls since it was settled last, by whichever thread */
	int patience;          /* calls that are let go by before the beginning */
};

static inline enum relaxed_kind relaxed_kind(const struct relaxed *relaxed)
{
	return (enum relaxed_kind)atomic_load_explicit(&relaxed->kind, memory_order_relaxed);
}

static inline void relaxed_rests(struct relaxed *relaxed)
{
	atomic_store_explicit(&relaxed->run, 0, memory_order_relaxed);
}

static inline int64_t relaxed_at(const struct relaxed *relaxed)
{
	return atomic_load_explicit(&relaxed->at, memory_order_relaxed);
}

static inline bool relaxed_is_broken(const struct relaxed *relaxed)
{
	return atomic_load_explicit(&relaxed->broken, memory_order_relaxed);
}

/* What the file has, or NULL. Acquire pairs with the release in relaxed_begin(). */
static inline struct relaxed *relaxed_of(const struct file *file)
{
	return atomic_load_explicit(&file->relaxed, memory_order_acquire);
}

/* Whether it is this thread's; so it is where no other has come before. */
bool relaxed_is_mine(struct relaxed *relaxed);

/*
 * Holds it, or waits for another thread that does; false where that one does not end. `nested`:
 * this thread held it already, for we are in a signal handler.
 */
bool relaxed_hold(struct relaxed *relaxed, bool *nested);

/*
 * Takes it for a call of the file's thread; relaxed_release() or one of the calls below ends it.
 * NULL where it cannot be had, and then all is settled.
 */
struct relaxed *relaxed_take(struct file *file, int fd);

static inline void relaxed_release(struct relaxed *relaxed)
{
	/* Release pairs with the acquire in try_hold(): all is as its last holder left it. */
	atomic_store_explicit(&relaxed->holder, 0, memory_order_release);
}

/* Settles what the caller holds, with signals held back; 0 or -errno. */
int relaxed_settle_held(struct relaxed *relaxed, int fd);

/* Ends a call that cannot be served: settles, and returns FORWARD. */
ssize_t relaxed_forward(struct relaxed *relaxed, int fd);

/* Ends a call that a signal handler broke: what relaxed_done() returns then. */
ssize_t relaxed_resume(struct relaxed *relaxed, int64_t end, ssize_t n);

/* Ends a call that has copied `n` bytes, at offset `end` now; returns what the call does. */
static inline ssize_t relaxed_done(struct relaxed *relaxed, int64_t end, ssize_t n)
{
	/* The bytes are there before the offset says so, for a signal handler of this thread. */
	atomic_signal_fence(memory_order_seq_cst);
	relaxed->calls++;
	atomic_store_explicit(&relaxed->at, end, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(relaxed_is_broken(relaxed), 0))
		return relaxed_resume(relaxed, end, n);
	relaxed_release(relaxed);
	return n;
}

/* Never again: the first reason is noted. Settling is still to be done. */
void relaxed_give_up(struct relaxed *relaxed, struct file *file, enum reason reason);

static inline bool relaxed_is_stopped(const struct relaxed *relaxed)
{
	return atomic_load_explicit(&relaxed->user, memory_order_relaxed) == RELAXED_STOPPED;
}

/* Little is gained where it is settled soon: then more calls are let go by the next time. */
void relaxed_learn(struct relaxed *relaxed, bool gained);

/* The kernel has the offset again, and exact `direct` what was read ahead. */
void relaxed_give_back(struct relaxed *relaxed, enum relaxed_kind kind);

/* Whether it is of this kind, or was begun now because its time has come. */
bool relaxed_is(struct relaxed *relaxed, int fd, enum relaxed_kind kind);

/* The two kinds' parts of beginning, where `at` is known, in a file of this size. */
bool relaxed_begin_reading(struct relaxed *relaxed, int fd, int64_t size);
bool relaxed_begin_writing(struct relaxed *relaxed, int fd);

/* Writes what was gathered: all, or the whole blocks of it; the rest is kept. 0 or -errno. */
int relaxed_put(struct relaxed *relaxed, int fd, bool all);

#endif
