/* transfer.h - what the calls with one piece of memory and with several (vector.c) share. */
#ifndef NOCACHE_WRAP_TRANSFER_H
#define NOCACHE_WRAP_TRANSFER_H

#include "unaligned.h"
#include "wrap.h"

/*
 * The kernel carried the call out at `offset` (-1: the description's own) and returned `moved`;
 * `error` is errno from before it. A direct request that was refused is served after all where that
 * can be, and policy dsync makes a write durable. Returns what the program is told. Counted.
 */
ssize_t did_read(struct file *file, int fd, const struct iovec *iov, int count, int64_t offset,
		 int flags, ssize_t moved, int error);
ssize_t did_write(struct file *file, int fd, const struct iovec *iov, int count, int64_t offset,
		  int flags, ssize_t moved, int error);

/* Whether a call was carried out here, not to be forwarded; then `*moved` is what it returns. */
bool here(ssize_t done, ssize_t *moved);

/*
 * Around what is carried out here: a call that libc would make a cancellation point stays one
 * (pthreads(7)), but in its middle nobody is cancelled, for what is held then would be held for
 * ever. The first returns what the second is given.
 */
int cancel_now_or_later(void);
void cancel_as(int type);

#endif
