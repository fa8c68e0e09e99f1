/* direct_ahead.c - when reading ahead begins, and whether what was read ahead is still true. */
#include "direct_ahead.h"

#include "fsinfo.h"
#include "stream.h"
#include "sys.h"

#include <linux/stat.h>
#include <sys/stat.h>

enum {
	PROOF = 64 * 1024,       /* bytes in sequence, elsewhere than at first, that are a stream */
	RETRY = 4 * 1024 * 1024, /* bytes until writers are asked for again */
};

static int64_t change_time(const struct statx *st)
{
	return st->stx_ctime.tv_sec * 1000000000 + st->stx_ctime.tv_nsec;
}

static int64_t cached(const struct direct *direct, int fd, int64_t at, int64_t n)
{
	return residency_bytes(direct->file->probe, fd, align_down(at, PAGE), n);
}

/*
 * Starts the pipeline at the place of the request, up to `end`. False where there is no memory or
 * no twin.
 */
static bool start(struct direct *direct, const struct ahead *ahead, int64_t end)
{
	if (!direct_flows(direct, ahead->fd, file_size(ahead->st) - ahead->at))
		return false;
	if (!direct->proven)
		direct->proof = ahead->at;
	if (!direct->proven && cached(direct, ahead->fd, ahead->at, ahead->n) > 0)
		direct->proof += STREAM_KERNEL_AHEAD;
	pipeline_start(&direct->pipeline, ahead->at, ahead->n, end);
	return true;
}

void ahead_prove(struct direct *direct, int fd, int64_t at, int64_t n)
{
	if (direct->proven || n <= 0 || at < direct->proof)
		return;
	direct->proven = true;
	if (cached(direct, fd, at, n) <= 0)
		return;
	file_note(direct->file, REASON_NO_DIRECT);
	file_set_direct(direct->file, false);
}

/*
 * Whether what is read from now on will be known to be true as long as the change time is that of
 * `st`, which was asked for before. The order matters: a writer that came between the question for
 * writers and a later one for the time would not be noticed.
 */
static bool can_be_current(struct direct *direct, const struct ahead *ahead)
{
	if (!S_ISREG(ahead->st->stx_mode) || !fsinfo_of(ahead->fd, direct->file->dev).tells_changes)
		return false;
	if (change_time(ahead->st) >= sys_tick_clock())
		return false;
	if (!twin_probe_writers(&direct->reader))
		return true;
	direct->retry = RETRY;
	file_note(direct->file, REASON_IN_USE);
	return false;
}

bool ahead_is_stream(const struct direct *direct, int64_t at)
{
	return at == direct->next && (direct->run >= PROOF || direct->run == direct->next);
}

/*
 * Whether `auto` gains from it. Not where the file system may read through the cache all the same:
 * what the kernel read ahead before would hide that for too long.
 */
static bool is_choice(const struct direct *direct, const struct ahead *ahead)
{
	return bounce_is_huge() && file_size(ahead->st) - ahead->at >= DIRECT_AUTO_SIZE / 2 &&
	       !fsinfo_of(ahead->fd, direct->file->dev).direct_by_page;
}

/* Starts reading ahead; where that cannot be, only what the request asks for, if it is much. */
static bool begin(struct direct *direct, const struct ahead *ahead)
{
	bool chosen = file_asked(direct->file) == POLICY_AUTO;
	int64_t size = file_size(ahead->st);

	if (chosen && !is_choice(direct, ahead))
		return false;
	if (ahead_is_stream(direct, ahead->at) && direct->retry <= 0 &&
	    direct_can_read(direct, ahead->fd) && can_be_current(direct, ahead) &&
	    start(direct, ahead, size)) {
		stream_reaches(direct->file, ahead->fd, ahead->at);
		direct->current = true;
		direct->changed = change_time(ahead->st);
		return true;
	}
	if (chosen || ahead->n < DIRECT_LARGE)
		return false;
	direct->current = false;
	return start(direct, ahead, ahead->at + ahead->n);
}

bool ahead_prepare(struct direct *direct, const struct ahead *ahead)
{
	if (!direct->current || direct->changed != change_time(ahead->st) ||
	    !pipeline_reaches(&direct->pipeline, ahead->at))
		return begin(direct, ahead);
	return !pipeline_asks(&direct->pipeline, ahead->at + ahead->n - 1) ||
	       direct_can_read(direct, ahead->fd);
}

void ahead_follow(struct direct *direct, int64_t at, int64_t n)
{
	direct->run = at == direct->next ? direct->run + n : n;
	direct->next = at + n;
	direct->retry -= n;
}
