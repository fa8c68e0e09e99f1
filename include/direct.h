/*
 * direct.h - policy `direct`: bytes moved past the page cache, by O_DIRECT on private twins.
 *
 * Reading: what a sequential reader will want next is read ahead into memory of the process. It is
 * handed out only while it is provably the file's content. Before the first such read the change
 * time is taken and is older than a clock tick, and then nobody has the file open for writing
 * (twin_probe_writers()). Whoever changes it later must open it after that, and moves the change
 * time before the change can be seen, by write(2) and by the first store through a mapping alike
 * (fsinfo.h, tells_changes). So each call asks for the change time, in the same fstat that confirms
 * the descriptor, and where it has moved everything is forgotten. Where that cannot be had, only
 * requests large enough to be worth a read of their own are direct.
 *
 * Writing: the aligned middle of a large request goes out before the call returns; its edges go
 * through the program's own descriptor. Small requests cannot be gathered, for every byte must be
 * in the kernel's hands when its call returns: they go through the page cache (stream.h).
 *
 * Offsets are bytes; the program's own offset is moved by lseek(2), which is atomic for all who
 * share it.
 */
#ifndef NOCACHE_DIRECT_H
#define NOCACHE_DIRECT_H

#include "file.h"
#include "verdict.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/*
 * What `auto` takes past the cache: files of which nothing was cached, large enough to gain more
 * than the start costs, once they are read in sequence by requests of a page and more.
 */
#define DIRECT_AUTO_SIZE ((int64_t)32 << 20)
enum { DIRECT_AUTO_READ = 4096, DIRECT_AUTO_LARGE = 1024 * 1024, DIRECT_AUTO_PROOF = 128 * 1024 };

/* Whether it is worth asking direct_write(), or direct_read() about a read of `n` bytes. */
static inline bool direct_wants_writes(const struct file *file)
{
	return file_may_be_direct(file) && file_asked(file) == POLICY_DIRECT;
}

static inline bool direct_wants_read(const struct file *file, size_t n)
{
	if (!file_may_be_direct(file) || file_asked(file) == POLICY_DIRECT)
		return file_may_be_direct(file);
	return n >= DIRECT_AUTO_READ && file->old_size >= DIRECT_AUTO_SIZE &&
	       file_before(file) == BEFORE_NOTHING &&
	       (n >= DIRECT_AUTO_LARGE || file_counted(file, COUNT_read) >= DIRECT_AUTO_PROOF);
}

/*
 * Reads into, or writes from, buffers of the program at `offset`, or at the description's offset
 * where that is -1. Returns the bytes moved, -errno, or FORWARD. Counts what it moved.
 */
ssize_t direct_read(struct file *file, int fd, const struct iovec *iov, int count, int64_t offset);
ssize_t direct_write(struct file *file, int fd, const void *buffer, size_t n, int64_t offset);

/* One end of a copy, at an absolute offset. */
struct direct_end {
	struct file *file; /* or NULL */
	int fd;
	int64_t at;
	bool own; /* that is where the description stands, which moves along */
};

/*
 * Copies `n` bytes or less from `in` to `out`, up to the end of `in`, and moves both offsets along.
 * Returns the bytes copied; 0 where the two files or offsets do not suit. A file that has no
 * record, or cannot be direct, is read or written through its descriptor; `auto` wants both
 * direct. Holes beyond the end of `out` stay holes.
 * Counted as direct and bounced.
 */
int64_t direct_copy(struct direct_end *in, struct direct_end *out, int64_t n);

/* The program set the description's offset. */
void direct_moved(struct file *file);

/*
 * Nothing of ours stays open: the program is done with the description; or it is about to take a
 * POSIX lock on the file, by whichever description.
 */
void direct_leave(struct file *file);
void direct_leave_for_lock(struct file *file);

/* In the child of fork(2): what is in flight, and the memory for it, are the parent's. */
void direct_forked(void);
void direct_inherit(struct file *file);

/* Whether `fd` is a twin. */
bool direct_has(int fd);

/* The program closes what it has in [first, last], or puts another descriptor there. */
void direct_lose(unsigned first, unsigned last);

/* A program that has come to this number may come to those of the twins (twin.c). */
enum { DIRECT_CROWDED = 800 };

/* No twins any more, in this process and its children: it has a use for their numbers. */
void direct_forbid(void);

#endif
