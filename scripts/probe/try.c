/* try.c - all that is tried, in its order, and what takes one call. */
#include "probe.h"

#include "sys.h"
#include "twin.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/stat.h>
#include <sys/ioctl.h>

static void try_reflink(struct facts *facts, int fd)
{
	int target = scratch_unseen();

	facts->reflink = ioctl(target, FICLONE, fd) == 0 ? 0 : -errno;
	sys_close(target);
}

/* Closes `fd`: a lease is only had while nobody has the file open for writing. */
static void try_lease(struct facts *facts, int fd)
{
	struct twin reader = {.fd = scratch_again(fd, O_RDONLY)};

	sys_close(fd);
	facts->lease = reader.fd < 0 ? reader.fd : twin_probe_writers(&reader);
	sys_close(reader.fd);
}

void try_all(struct facts *facts)
{
	int fd = scratch_unseen();
	struct statx st;

	uname(&facts->kernel);
	if (sys_failed(sys_stat(fd, &st)))
		fail("cannot look at a scratch file", EIO);
	facts->dev = file_dev(&st);
	facts->info = fsinfo_of(fd, facts->dev);
	facts->fs = fsinfo_name(fd, facts->dev);
	scratch_put(fd, 0, FILL);
	try_cache(facts, fd);
	try_folios(facts);
	try_direct(facts, fd);
	try_dontcache(facts);
	facts->noreuse = sys_advise(fd, 0, 0, POSIX_FADV_NOREUSE);
	try_reflink(facts, fd);
	try_lease(facts, fd);
}
