/* scratch.c - files to try things on, which leave nothing behind. */
#include "probe.h"

#include "fdlink.h"
#include "sys.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A file without a name, in the place that is asked about. */
static int scratch(void)
{
	sigset_t all, old;
	char path[4096];
	int fd = open(where, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof(path), "%s/.nocache-probe.XXXXXX", where) >= (int)sizeof(path))
		fail("the path is too long", 0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		fail("no scratch file can be made there", errno);
	unlink(path);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return fd;
}

int scratch_unseen(void)
{
	int fd = scratch();
	long own = sys_duplicate(fd, 100);

	close(fd);
	if (sys_failed(own))
		fail("no descriptor", (int)-own);
	return (int)own;
}

int scratch_again(int fd, int flags)
{
	return (int)fdlink_open(fd, flags | O_CLOEXEC);
}

void scratch_put(int fd, int64_t at, int64_t n)
{
	for (int64_t end = at + n; at < end;) {
		long moved = sys_pwrite(fd, memory, (size_t)smaller(BLOCK, end - at), at);

		if (moved <= 0)
			fail("cannot write a scratch file", moved ? (int)-moved : ENOSPC);
		at += moved;
	}
}

int64_t scratch_cached(const struct facts *facts, int fd, int64_t at, int64_t n)
{
	return residency_bytes(facts->probe, fd, at, n);
}

int64_t scratch_drop(const struct facts *facts, int fd)
{
	sys_datasync(fd);
	pages_release(facts->probe, fd, 0, FILL, PATIENCE_READING);
	return scratch_cached(facts, fd, 0, FILL);
}

int scratch_cold(const struct facts *facts)
{
	int fd = scratch_unseen(), reader;

	scratch_put(fd, 0, JOB);
	sys_datasync(fd);
	pages_release(facts->probe, fd, 0, JOB, PATIENCE_READING);
	reader = scratch_again(fd, O_RDONLY);
	sys_close(fd);
	if (reader < 0)
		fail("a scratch file cannot be opened again", -reader);
	return reader;
}
