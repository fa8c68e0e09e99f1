/*
 * file.h - one record for each open file description that is managed.
 *
 * All descriptors that were duplicated from one another share a record (open(2), "open file
 * description"). A record is only a cache of kernel truth: before anything is done to the page
 * cache through a descriptor, file_confirm() asks the kernel whether it still means this file.
 */
#ifndef NOCACHE_FILE_H
#define NOCACHE_FILE_H

#include "align.h"
#include "policy.h"
#include "reason.h"
#include "residency.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum counter {
#define COUNTER(name) COUNT_##name,
#include "counters.def"
#undef COUNTER
	COUNTERS
};

/*
 * What was cached of a file when the program came to it. BEFORE_UNKNOWN: nobody tells; then only
 * what the stream itself asked for is its own.
 */
enum before { BEFORE_NOTHING, BEFORE_SOME, BEFORE_ALL, BEFORE_UNKNOWN };

/* In place of window.reach: the reader jumped, and what it brought in may be anywhere. */
#define REACH_ALL INT64_MAX

/* One direction of a stream. Offsets in bytes; changed only while the record is held. */
struct window {
	_Atomic int64_t credit; /* bytes that may still move before the next look */
	int64_t granted;        /* the credit given at the last look */
	int64_t last;           /* the offset at the last look */
	int64_t run;            /* bytes that have moved in sequence up to `last` */
	_Atomic int64_t next;   /* where the last transfer with an offset of its own ended */
	_Atomic int jumps;      /* transfers and seeks elsewhere since the last look */
	_Atomic int64_t held;   /* what it takes of the process's room; stream_room.h */
	int64_t low;            /* below it the window is done */
	int64_t high;           /* reading: asked for up to here; writing: write-out started */
	int64_t clean;          /* reading: below it all was seen to be gone */
	int64_t reach;          /* reading: nothing of it lies above; 0: not known yet; REACH_ALL */
	bool company;           /* reading: another stream of the file drops what this one met */
	bool steady;            /* the stream is sequential: the window slides */
};

/* Whose the pages of one unit were before this stream touched it. */
enum owner { OWNER_US, OWNER_THEM, OWNER_MIXED };
enum { UNIT = 1 << 20, UNIT_WORDS = UNIT / PAGE / 64, UNITS = 16 };

struct unit {
	int64_t index; /* offset / UNIT; -1 for none */
	enum owner owner;
	uint64_t theirs[UNIT_WORDS]; /* OWNER_MIXED: bit i = page i was cached before */
};

struct direct;
struct relaxed;

struct file {
	_Atomic int refs;                            /* descriptors that mean it */
	_Atomic(const struct treatment *) treatment; /* the rule's; never NULL once it was used */
	_Atomic bool held;                           /* somebody works on the windows */
	uint64_t dev;                                /* stx_dev_major << 32 | stx_dev_minor */
	uint64_t ino;
	int64_t old_size;   /* its size when the program came */
	int access;         /* enum access */
	_Atomic int policy; /* enum policy */
	_Atomic int reason; /* enum reason */

	enum probe probe;
	_Atomic int before;  /* enum before */
	_Atomic bool learnt; /* what was cached before is known, for its twins to take over */
	bool keeps;          /* some pages that this stream met were somebody else's */
	bool served;         /* unaligned direct requests of the program went through the cache */
	bool blind;          /* cachestat and sync_file_range have no effect: overlayfs */
	bool stubborn;       /* its file system does not write out or let go in time */
	bool advised;        /* the shim switched the kernel's readahead off */
	bool inherited;      /* the record was copied by fork(2) from a parent that has it too */
	bool finished;       /* its record is written: the process ends */
	_Atomic bool passed; /* another process may have the description, too */
	bool accounted;      /* a log record will be wanted */
	_Atomic bool mapped; /* the program has or had a mapping of it */
	_Atomic bool mapped_writable; /* one through which it may be changed */
	_Atomic bool locked;          /* the program has or had POSIX record locks on it */
	_Atomic bool shared;          /* this process has it open more than once */
	_Atomic bool heir;            /* what another of those read is left to it */
	_Atomic bool own_ahead;       /* the program itself asked for pages ahead */
	_Atomic bool crowded;         /* a thread read on while another worked on the windows */
	_Atomic bool own_direct;      /* the program itself uses O_DIRECT */
	_Atomic bool own_random;      /* the program itself advised POSIX_FADV_RANDOM */
	_Atomic bool hides_direct;    /* O_DIRECT was taken away: shown in F_GETFL all the same */
	_Atomic bool may_dontcache;   /* nothing is known yet that keeps it from RWF_DONTCACHE */
	bool dontcache_seen;          /* its effect on this file was looked for */
	int64_t dontcache_at;         /* the first write that had it, and its length */
	int64_t dontcache_bytes;
	_Atomic uint64_t dontcached;       /* bytes that were moved with it */
	_Atomic bool may_be_direct;        /* nothing is known yet that keeps it from O_DIRECT */
	_Atomic(struct direct *) direct;   /* what is kept of it for that; direct_file.h */
	_Atomic(struct relaxed *) relaxed; /* how it is relaxed, if it is; relaxed_file.h */
	_Atomic int unrelaxed;             /* enum reason: why it is not, where that is asked */
	_Atomic int write_error; /* of a write-out that the shim waited for: the next fsync's */

	_Atomic int64_t line;       /* size from which another rule may hold; INT64_MAX: none */
	_Atomic int64_t until_line; /* bytes that go to the own offset before it is that large */
	_Atomic bool grown;         /* it may be: the rules are to be asked again */
	uint64_t direct_then;       /* bytes moved by O_DIRECT when the rule last changed */

	int64_t opened; /* steady clock, ns */
	int64_t cached_before;
	int64_t peak;
	_Atomic uint64_t counters[COUNTERS];
	_Atomic size_t ahead; /* bytes counted that a FILE still holds */
	uint64_t owed; /* bytes written and not settled yet when the program opened it again */
	struct window reading;
	struct window writing;
	struct unit units[UNITS];
};

struct statx;

/* A fresh record with one reference for the file that `st` describes, or NULL. */
struct file *file_new(const struct statx *st);

/* One more descriptor; one less: returns true for the last, whose caller then frees. */
void file_ref(struct file *file);
bool file_unref(struct file *file);
void file_free(struct file *file);

/* The record of another open description of the same file, or NULL. */
struct file *file_twin_of(const struct file *file);

/*
 * Whether the description's offset may only be moved by the kernel, as part of the transfer. We
 * move it before the bytes, or after them, and who is killed in between leaves it there for the
 * next who writes, or reads, at the same description.
 */
static inline bool file_is_passed(const struct file *file)
{
	return atomic_load_explicit(&file->passed, memory_order_relaxed);
}

/* Whether the process locked the file through any of its open descriptions. */
bool file_is_locked(const struct file *file);

/* Calls visit() with every live record. */
void file_each(void (*visit)(struct file *file, void *data), void *data);

/* Asks the kernel whether `fd` (still) means the record's file; fills `st`. */
bool file_confirm(const struct file *file, int fd, struct statx *st);

/*
 * Whether `fd` still means the file that `st` was told of, as far as the kernel says. For calls
 * that take long: another thread may close the number meanwhile, and this record be of another file
 * by then.
 */
bool file_still(const struct statx *st, int fd);

/* Looks how much of the file is cached now, where a record will tell the most that was seen. */
void file_note_peak(struct file *file, int fd);

/* Counts from zero again. */
void file_reset_counters(struct file *file);

/* The file's size; for a block device, whose end statx(2) does not tell, more than any file. */
int64_t file_size(const struct statx *st);

/* Takes the record for work on its windows; false where somebody has it: then leave it. */
bool file_hold(struct file *file);
void file_release(struct file *file);

/* The device number of `st` in the form of file.dev. */
uint64_t file_dev(const struct statx *st);

static inline void file_count(struct file *file, enum counter counter, uint64_t n)
{
	atomic_fetch_add_explicit(&file->counters[counter], n, memory_order_relaxed);
}

/* The same for a counter that only who holds the file's twins changes. */
static inline void file_count_held(struct file *file, enum counter counter, uint64_t n)
{
	uint64_t before = atomic_load_explicit(&file->counters[counter], memory_order_relaxed);

	atomic_store_explicit(&file->counters[counter], before + n, memory_order_relaxed);
}

static inline uint64_t file_counted(const struct file *file, enum counter counter)
{
	return atomic_load_explicit(&file->counters[counter], memory_order_relaxed);
}

/*
 * The program wrote `n` bytes that end at `end` (-1: at the description's offset). Nothing that
 * costs, where no rule asks for the size.
 */
static inline void file_grew(struct file *file, int64_t end, size_t n)
{
	int64_t line = atomic_load_explicit(&file->line, memory_order_relaxed), left;

	if (line == INT64_MAX)
		return;
	left = end >= 0 ? line - end
			: atomic_fetch_sub_explicit(&file->until_line, (int64_t)n,
						    memory_order_relaxed) -
				  (int64_t)n;
	if (left <= 0)
		atomic_store_explicit(&file->grown, true, memory_order_relaxed);
}

static inline uint64_t file_dontcached(const struct file *file)
{
	return atomic_load_explicit(&file->dontcached, memory_order_relaxed);
}

#include "file_treated.h"

/* Bytes written that its end has to see to. */
static inline uint64_t file_to_settle(const struct file *file)
{
	return file_counted(file, COUNT_written) + file->owed;
}

/* What was done with the file, and why it is not what was asked. */
enum policy file_done(const struct file *file);
enum reason file_why(const struct file *file);

/* Whether the program moved bytes of it, or may have through a mapping. */
static inline bool file_has_moved(const struct file *file)
{
	return file_counted(file, COUNT_read) || file_counted(file, COUNT_written) ||
	       atomic_load_explicit(&file->mapped, memory_order_relaxed);
}

/* Notes why the file is not treated as asked; the first reason stays but for auto's own choice. */
static inline void file_note(struct file *file, enum reason reason)
{
	int none = REASON_NONE, chosen = REASON_AUTO;

	if (!atomic_compare_exchange_strong_explicit(&file->reason, &none, reason,
						     memory_order_relaxed, memory_order_relaxed))
		atomic_compare_exchange_strong_explicit(&file->reason, &chosen, reason,
							memory_order_relaxed, memory_order_relaxed);
}

#endif
