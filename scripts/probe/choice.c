/* choice.c - what `auto` does with the jobs of a program. */
#include "probe.h"

#include "align.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A description that the preloaded library sees, of a file that it does not know. */
static int seen(int fd, int flags)
{
	char path[32];
	int second;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	second = open(path, flags | O_CLOEXEC);
	if (second < 0)
		fail("a scratch file cannot be opened again", errno);
	return second;
}

static void end(const struct facts *facts, struct job *job, int fd, int unseen)
{
	if (nocache_status)
		nocache_status(fd, &job->policy, &job->reason);
	job->held = scratch_cached(facts, unseen, 0, JOB);
	close(fd);
	job->left = scratch_cached(facts, unseen, 0, JOB);
}

static void move(int fd, bool writes, int64_t n, int64_t block)
{
	ssize_t moved = 1;

	for (int64_t at = 0; at < n && moved > 0; at += moved)
		moved = writes ? write(fd, memory, (size_t)block) : read(fd, memory, (size_t)block);
	if (moved <= 0)
		fail("cannot use a scratch file", errno);
}

static void do_read(const struct facts *facts, struct job *job)
{
	int unseen = scratch_cold(facts), fd = seen(unseen, O_RDONLY);

	move(fd, false, JOB, BLOCK);
	end(facts, job, fd, unseen);
	sys_close(unseen);
}

static void do_write(const struct facts *facts, struct job *job, int64_t n)
{
	int unseen = scratch_unseen(), fd = seen(unseen, O_WRONLY);

	move(fd, true, n, smaller(n, BLOCK));
	end(facts, job, fd, unseen);
	sys_close(unseen);
}

static void do_copy(const struct facts *facts, struct job *job)
{
	int source = scratch_cold(facts), target = scratch_unseen();
	int in = seen(source, O_RDONLY), out = seen(target, O_WRONLY);
	ssize_t moved = 1;

	for (int64_t at = 0; at < JOB && moved > 0; at += moved)
		moved = copy_file_range(in, NULL, out, NULL, JOB, 0);
	end(facts, job, out, target);
	if (moved <= 0)
		job->policy = job->reason = "-";
	close(in);
	job->held += scratch_cached(facts, source, 0, JOB);
	sys_close(source);
	sys_close(target);
}

static void do_random(const struct facts *facts, struct job *job)
{
	int unseen = scratch_cold(facts), fd = seen(unseen, O_RDONLY);

	for (int64_t i = 1; i <= 256; i++)
		if (pread(fd, memory, PAGE, i * 7919 % (JOB / PAGE) * PAGE) < 0)
			fail("cannot use a scratch file", errno);
	end(facts, job, fd, unseen);
	sys_close(unseen);
}

void choices(const struct facts *facts, struct job jobs[JOBS])
{
	static const struct job names[JOBS] = {{"large read", "large_read", "-", "-", 0, 0},
					       {"large write", "large_write", "-", "-", 0, 0},
					       {"copy", "copy", "-", "-", 0, 0},
					       {"small file", "small_file", "-", "-", 0, 0},
					       {"random reads", "random_reads", "-", "-", 0, 0}};

	memcpy(jobs, names, sizeof(names));
	do_read(facts, &jobs[0]);
	do_write(facts, &jobs[1], JOB);
	do_copy(facts, &jobs[JOB_COPY]);
	do_write(facts, &jobs[JOB_SMALL], 16 * 1024);
	do_random(facts, &jobs[4]);
}
