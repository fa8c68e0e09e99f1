/* try_cache.c - what is seen of the page cache, and what can be dropped from it. */
#include "probe.h"

#include "align.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>

void try_cache(struct facts *facts, int fd)
{
	struct sys_cachestat stat;
	long result = sys_cachestat(fd, 0, FILL, &stat);
	struct statx st;

	facts->cachestat = sys_failed(result) ? result : (int64_t)stat.cached * PAGE;
	facts->mincore = residency_bytes(PROBE_MINCORE, fd, 0, FILL);
	if (sys_failed(sys_stat(fd, &st)))
		fail("cannot look at a scratch file", EIO);
	facts->probe =
		residency_first(fd, facts->info.cachestat_blind, st.stx_uid, FILL, &(int64_t){0});
	facts->kept = scratch_cached(facts, fd, 0, FILL) > 0;
}

/* Whether all of it goes in windows of that size. */
static bool goes_by(const struct facts *facts, int fd, int64_t window)
{
	for (int tries = 0; tries < TRIES; tries++) {
		for (int64_t at = 0; at < JOB; at += window)
			sys_advise(fd, at, window, POSIX_FADV_DONTNEED);
		if (scratch_cached(facts, fd, 0, JOB) == 0)
			return true;
		sys_sleep((int64_t)TRY_NAP_NS << tries);
	}
	return false;
}

/*
 * Folios grow with the readahead. Windows that are smaller than a folio drop nothing of it: the one
 * after which all is gone is as large as the largest.
 */
void try_folios(struct facts *facts)
{
	int fd = scratch_cold(facts), reader = scratch_again(fd, O_RDONLY);

	for (int64_t at = 0; at < JOB; at += BLOCK)
		sys_pread(reader, memory, BLOCK, at);
	sys_close(reader);
	if (scratch_cached(facts, fd, 0, JOB) == 0)
		facts->kept = false;
	for (int64_t window = PAGE; facts->kept && window <= FILL && !facts->folio; window *= 2)
		if (goes_by(facts, fd, window))
			facts->folio = window;
	sys_close(fd);
}
