/*
 * inflight.h - direct reads that go on while the program computes: Linux native AIO (io_submit(2)).
 *
 * It needs no thread, and its requests keep their file open by themselves. But giving a context
 * back, or ending the process, waits for a grace period of the kernel (fs/aio.c, exit_aio(): some
 * 30 ms were seen). So contexts are made only for streams that gain more than that, are kept for
 * the next one, and die with the process.
 */
#ifndef NOCACHE_INFLIGHT_H
#define NOCACHE_INFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INFLIGHT_DEPTH = 16 };

/* Bytes to come from which a context is worth making; one that is there is worth using always. */
#define INFLIGHT_WORTH ((int64_t)256 << 20)

/* What making one costs at the end, and something for what it may not gain, in ns. */
enum { INFLIGHT_COST = 50000000 };

struct inflight {
	int index; /* -1 for none */
};

/* Takes a context for a stream of `n` bytes; false where there is none to have. */
bool inflight_begin(struct inflight *inflight, int64_t n);

/* Gives it back for the next stream; nothing may be in flight. */
void inflight_end(struct inflight *inflight);

/* Starts a read whose event will carry `tag`; 0 or -errno. */
long inflight_read(const struct inflight *inflight, int fd, void *buffer, int64_t n, int64_t offset,
		   int tag);

/* Waits for one event: its tag, with the bytes read or -errno in `result`; or -errno. */
int inflight_wait(const struct inflight *inflight, int64_t *result);

/* In the child of fork(2): the contexts are the parent's. */
void inflight_forked(void);

#endif
