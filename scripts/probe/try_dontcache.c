/* try_dontcache.c - whether RWF_DONTCACHE is taken, and what it leaves in the cache. */
#include "probe.h"

#include "sys.h"

#include <sys/uio.h>

#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x80
#endif

enum { DROP_NAPS = 100, DROP_NAP_NS = 2000000 };

/* The pages go some time after the write-out. */
static int64_t left_after_a_while(const struct facts *facts, int fd)
{
	sys_datasync(fd);
	for (int naps = 0; naps < DROP_NAPS && scratch_cached(facts, fd, 0, FILL) > 0; naps++)
		sys_sleep(DROP_NAP_NS);
	return scratch_cached(facts, fd, 0, FILL);
}

void try_dontcache(struct facts *facts)
{
	struct iovec iov = {memory, BLOCK};
	int fd = scratch_unseen();
	long moved = 0;

	for (int64_t at = 0; at < FILL && moved >= 0; at += BLOCK)
		moved = sys_pwritev2(fd, &iov, 1, at, RWF_DONTCACHE);
	facts->dontcache_write = moved < 0 ? moved : left_after_a_while(facts, fd);
	if (moved < 0)
		scratch_put(fd, 0, FILL);
	scratch_drop(facts, fd);
	iov.iov_len = FILL;
	moved = sys_preadv2(fd, &iov, 1, 0, RWF_DONTCACHE);
	facts->dontcache_read = moved < 0 ? moved : left_after_a_while(facts, fd);
	sys_close(fd);
}
