/*
 * twin.h - a private description of a file that the program has open, O_DIRECT where it is not.
 *
 * The program's descriptors are never made direct. A twin is opened by /proc/self/fd (proc(5)) on
 * a high number, which the program is shown as free. Closing any descriptor of a file drops the
 * process's POSIX locks on it (fcntl(2)): a file with locks gets no twin, and a twin is closed
 * inside the program's own close of the file, or before a lock is taken.
 */
#ifndef NOCACHE_TWIN_H
#define NOCACHE_TWIN_H

#include "file.h"

#include <stdbool.h>
#include <stdint.h>

struct twin {
	int fd;    /* -1 for none */
	int flags; /* of open(2) */
	uint64_t dev;
	uint64_t ino;
};

/* Opens the twin of `fd` with the flags of open(2); where it cannot, the record notes why. */
bool twin_open(struct twin *twin, struct file *file, int fd, int flags);

/*
 * Closes it, if it is still ours. `locks_matter`: not if anybody has POSIX locks on the file; it
 * stays open then, and hidden.
 */
void twin_close(struct twin *twin, bool locks_matter);

/* Whether it still is what twin_open() made: asked before every use. */
bool twin_is_ours(const struct twin *twin);

/*
 * What offsets and lengths of direct requests must be multiples of, at least PAGE; 0 where the
 * file has no direct I/O of its own.
 */
int64_t twin_block(int fd, uint64_t dev);

/*
 * Whether nobody has the file open for writing, or mapped so, at some moment of the call: a read
 * lease is asked for and given back at once (fcntl(2), F_SETLEASE). 0, or -errno: EAGAIN where
 * somebody has, EACCES where this user may not ask.
 */
long twin_probe_writers(const struct twin *twin);

#endif
