/*
 * relaxed.h - option `relaxed` of policy `direct`: tiny requests without a system call.
 *
 * A sequence of small reads of one open file description is served from what was read ahead, and
 * a sequence of small writes is gathered in a block. Meanwhile the description's offset is kept
 * here and the kernel's stands still. That is settled, so that the kernel has every byte and the
 * offset, before anything else is done with the file: each wrapper but those of read(2) and
 * write(2) settles first. What others would notice is only that it came late; what kill -9 may
 * lose is the block.
 *
 * It is the file of one thread. The first call by another one ends it for good, as does whatever
 * else would let somebody see that bytes come late: a second description of the file in this
 * process, a mapping, a lock, a FILE, a child process.
 */
#ifndef NOCACHE_RELAXED_H
#define NOCACHE_RELAXED_H

#include "file.h"
#include "verdict.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How many files may have something that is not settled. */
extern _Atomic int relaxed_files;

static inline bool relaxed_any(void)
{
	return atomic_load_explicit(&relaxed_files, memory_order_relaxed) > 0;
}

/* Whether it is asked for the file, and was to be had when it was met. */
static inline bool relaxed_concerns(const struct file *file)
{
	return atomic_load_explicit(&file->relaxed, memory_order_relaxed) != NULL;
}

/* The program opened the file, whose record is new; it is done with it, by its last descriptor. */
void relaxed_begin(struct file *file, int fd);
void relaxed_end(struct file *file, int fd);

/*
 * Reads or writes at the description's offset. Returns the bytes moved, -errno, or FORWARD
 * where the call must go its usual way; then all is settled.
 */
ssize_t relaxed_read(struct file *file, int fd, void *buffer, size_t n);
ssize_t relaxed_write(struct file *file, int fd, const void *buffer, size_t n);

/*
 * Before any other call on the file. Returns 0, or -errno where bytes could not be written: they
 * are kept, and the next call tries again.
 */
int relaxed_settle(struct file *file, int fd);

/* The same for every file of the process: what the call concerns is not known. */
void relaxed_settle_all(void);

/* Settles, and does not begin again. */
void relaxed_stop(struct file *file, int fd, enum reason reason);
void relaxed_stop_all(enum reason reason);

/* The program maps the file: the mapping may stay when the description is gone. */
void relaxed_mapped(struct file *file);

/* The program opened a file: if it has that open already, that one is no longer relaxed. */
void relaxed_opened(int fd);

/* The process ends: what is written from now on goes its usual way. */
void relaxed_finish(void);

/* In the child of fork(2): what the record has is the parent's. */
void relaxed_inherit(struct file *file);

#endif
