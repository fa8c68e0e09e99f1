/* inflight.c - a few AIO contexts, each used by one stream at a time. */
#include "inflight.h"

#include "sys.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <stdatomic.h>

enum { CONTEXTS = 8 }; /* streams at once; another one reads without */

static struct context {
	_Atomic bool taken;
	unsigned long id; /* 0: not made yet; read and written by who took it */
} contexts[CONTEXTS];

static bool make(struct context *context, int64_t n)
{
	return context->id ||
	       (n >= INFLIGHT_WORTH && !sys_failed(sys_aio_setup(INFLIGHT_DEPTH, &context->id)));
}

bool inflight_begin(struct inflight *inflight, int64_t n)
{
	inflight->index = -1;
	for (int i = 0; i < CONTEXTS; i++) {
		/* Acquire pairs with the release below: the id is as its last user left it. */
		if (atomic_exchange_explicit(&contexts[i].taken, true, memory_order_acquire))
			continue;
		if (make(&contexts[i], n)) {
			inflight->index = i;
			return true;
		}
		atomic_store_explicit(&contexts[i].taken, false, memory_order_release);
		return false;
	}
	return false;
}

void inflight_end(struct inflight *inflight)
{
	if (inflight->index >= 0)
		atomic_store_explicit(&contexts[inflight->index].taken, false,
				      memory_order_release);
	inflight->index = -1;
}

long inflight_read(const struct inflight *inflight, int fd, void *buffer, int64_t n, int64_t offset,
		   int tag)
{
	struct iocb request = {
		.aio_data = (uint64_t)tag,
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = (uint32_t)fd,
		.aio_buf = (uint64_t)(uintptr_t)buffer,
		.aio_nbytes = (uint64_t)n,
		.aio_offset = offset,
	};
	long submitted = sys_aio_submit(contexts[inflight->index].id, &request);

	return submitted == 1 ? 0 : submitted < 0 ? submitted : -EAGAIN;
}

int inflight_wait(const struct inflight *inflight, int64_t *result)
{
	struct io_event event;
	long got;

	do
		got = sys_aio_wait(contexts[inflight->index].id, &event);
	while (got == -EINTR || got == 0);
	if (got < 0)
		return (int)got;
	*result = event.res;
	return (int)event.data;
}

void inflight_forked(void)
{
	for (int i = 0; i < CONTEXTS; i++) {
		contexts[i].id = 0;
		atomic_store_explicit(&contexts[i].taken, false, memory_order_relaxed);
	}
}
