/* direct_read.c - reads that are served past the page cache. */
#include "direct_ahead.h"

#include "signals.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is not worth a twin; a request that signals wait for. */
enum { SMALL_FILE = 64 * 1024, QUIET = 128 * 1024 };

/* A read in the course of being served. */
struct serving {
	struct file *file;
	struct direct *direct;
	int fd;
	const struct statx *st; /* of the file, before */
	const struct iovec *iov;
	int count;
	int64_t at;
	int64_t n;
	const uint64_t *before; /* the program's signal mask, where signals wait for us; or NULL */
};

/* The place in the buffers for byte `done`, and how many bytes there are from there. */
static char *place(const struct iovec *iov, int64_t done, int64_t *room)
{
	for (; done >= (int64_t)iov->iov_len; iov++)
		done -= (int64_t)iov->iov_len;
	*room = (int64_t)iov->iov_len - done;
	return (char *)iov->iov_base + done;
}

static bool buffers_writable(const struct serving *serving)
{
	int64_t left = serving->n, n;

	for (const struct iovec *iov = serving->iov; left > 0; iov++, left -= n) {
		n = smaller(left, (int64_t)iov->iov_len);
		if (n && !usermem_writable(&serving->direct->buffer, iov->iov_base, (size_t)n))
			return false;
	}
	return true;
}

/* Copies out of the pipeline; returns how many bytes it had. */
static int64_t take(const struct serving *serving)
{
	int64_t done = 0, room, n;
	const char *data;
	char *to;

	while (done < serving->n) {
		if (done && serving->before)
			signals_let_end(serving->before);
		if (!pipeline_reaches(&serving->direct->pipeline, serving->at + done))
			break;
		n = pipeline_at(&serving->direct->pipeline, serving->at + done, &data);
		if (n <= 0)
			break;
		to = place(serving->iov, done, &room);
		n = smaller(n, smaller(room, serving->n - done));
		memcpy(to, data, (size_t)n);
		done += n;
	}
	return done;
}

/*
 * The rest by the program's own descriptor, with the kernel's own result; but not from another file
 * that got the number meanwhile.
 */
static int64_t take_rest(const struct serving *serving, int64_t done)
{
	int64_t room, n;
	char *to;

	if (done < serving->n && !file_still(serving->st, serving->fd))
		return done ? done : -EINVAL;

	while (done < serving->n) {
		to = place(serving->iov, done, &room);
		n = sys_pread(serving->fd, to, (size_t)smaller(room, serving->n - done),
			      serving->at + done);
		if (n <= 0)
			return done ? done : n;
		done += n;
	}
	return done;
}

/* Moves the description on by `more` if it still stands at `end`; what was not so is undone. */
static bool extend(int fd, int64_t end, int64_t more)
{
	int64_t moved = sys_advance(fd, more);

	if (moved >= 0 && moved != end + more)
		sys_advance(fd, -more);
	return moved == end + more;
}

/*
 * Moves the description on by what will be served and returns where it stood. That is elsewhere
 * than expected where somebody moved it unseen: then what lies behind the end of the file is given
 * back, and what there is more is taken, up to `wanted`.
 */
static int64_t reserve(struct serving *serving, int64_t wanted, int64_t size)
{
	int64_t expected = serving->at, end = sys_advance(serving->fd, serving->n), start, fits;

	if (end < 0 || end - serving->n == expected)
		return end < 0 ? end : expected;
	start = end - serving->n;
	fits = smaller(wanted, larger(size - start, 0));
	if (fits < serving->n)
		sys_advance(serving->fd, fits - serving->n);
	if (fits < serving->n || extend(serving->fd, end, fits - serving->n))
		serving->n = fits;
	return start;
}

static bool prepare(const struct serving *serving, const struct statx *st)
{
	return ahead_prepare(serving->direct,
			     &(struct ahead){serving->fd, st, serving->at, serving->n});
}

/* What the kernel will make of the call is not known here: the next one asks where it led. */
static int64_t forward(const struct serving *serving)
{
	atomic_store_explicit(&serving->direct->moved, true, memory_order_relaxed);
	ahead_follow(serving->direct, serving->at, larger(serving->n, 0));
	return FORWARD;
}

/*
 * Serves what was prepared, at the description's offset where `own_offset` is set. An odd request
 * of a program's own O_DIRECT that cannot come by the pipeline after all is refused (EINVAL): it
 * is forwarded, for unaligned.h to serve.
 */
static int64_t serve(struct serving *serving, bool own_offset, int64_t wanted, int64_t size)
{
	int64_t expected = serving->at, past, done;

	if (own_offset && (serving->at = reserve(serving, wanted, size)) < 0)
		return FORWARD;
	past = serving->at == expected ? take(serving) : 0;
	ahead_prove(serving->direct, serving->fd, serving->at, past);
	done = take_rest(serving, past);
	if (own_offset && larger(done, 0) < serving->n && file_still(serving->st, serving->fd))
		sys_advance(serving->fd, larger(done, 0) - serving->n);
	if (done == -EINVAL)
		return forward(serving);
	ahead_follow(serving->direct, serving->at, larger(done, 0));
	file_count_held(serving->file, COUNT_bounced, (uint64_t)past);
	if (file_may_be_direct(serving->file))
		file_count(serving->file, COUNT_direct, (uint64_t)past);
	return done;
}

/* A program that uses O_DIRECT itself keeps its aligned requests that are no smaller than ours. */
static bool is_own_direct(const struct serving *serving)
{
	int64_t all = serving->at | serving->n;

	if (serving->n < DIRECT_LARGE ||
	    !atomic_load_explicit(&serving->file->own_direct, memory_order_relaxed))
		return false;
	for (int i = 0; i < serving->count; i++)
		all |= (int64_t)(uintptr_t)serving->iov[i].iov_base |
		       (int64_t)serving->iov[i].iov_len;
	return all % 512 == 0;
}

/* A request elsewhere, too small to be direct by itself: nothing need be asked to know it. */
static bool is_random(const struct serving *serving, int64_t offset)
{
	const struct direct *direct = serving->direct;

	return offset >= 0 && serving->n < DIRECT_LARGE && !ahead_is_stream(direct, offset) &&
	       !(direct->current && pipeline_reaches(&direct->pipeline, offset));
}

/* Where the description stands, or ought to: reserve() finds out. */
static int64_t own_offset(const struct serving *serving)
{
	struct direct *direct = serving->direct;

	if (!atomic_load_explicit(&direct->moved, memory_order_relaxed))
		return direct->next;
	atomic_store_explicit(&direct->moved, false, memory_order_relaxed);
	return sys_position(serving->fd);
}

static int64_t read_held(struct serving *serving, int64_t offset)
{
	struct direct *direct = serving->direct;
	int64_t wanted = serving->n;
	struct statx st;

	if (!direct->block || !direct->readable || !file_confirm(serving->file, serving->fd, &st))
		return FORWARD;
	serving->st = &st;
	if (offset < 0)
		serving->at = own_offset(serving);
	serving->n = smaller(serving->n, file_size(&st) - serving->at);
	if (serving->at < 0 || serving->n <= 0 || is_own_direct(serving) ||
	    file_size(&st) < SMALL_FILE || !prepare(serving, &st) || !buffers_writable(serving))
		return forward(serving);
	return serve(serving, offset < 0, wanted, file_size(&st));
}

static int64_t hold_and_read(struct serving *serving, int64_t offset)
{
	int64_t done;

	serving->direct = direct_hold(serving->file, serving->fd);
	if (!serving->direct)
		return FORWARD;
	done = is_random(serving, offset) ? forward(serving) : read_held(serving, offset);
	direct_release(serving->direct);
	return done;
}

/* While signals wait; not for small requests, which would take a third longer: libnocache(7). */
static int64_t read_quietly(struct serving *serving, int64_t offset)
{
	uint64_t before;
	int64_t done;

	if (serving->n < QUIET || sys_failed(sys_block_signals(&before)))
		return hold_and_read(serving, offset);
	serving->before = &before;
	done = hold_and_read(serving, offset);
	sys_restore_signals(&before);
	return done;
}

ssize_t direct_read(struct file *file, int fd, const struct iovec *iov, int count, int64_t offset)
{
	struct serving serving = {.file = file, .fd = fd, .iov = iov, .count = count, .at = offset};
	int64_t done;

	serving.n = smaller(usermem_total(iov, count), SYS_CALL_MOST);
	if (serving.n <= 0 || offset < -1)
		return FORWARD;
	done = read_quietly(&serving, offset);
	if (done == FORWARD)
		return done;
	file_count(file, COUNT_reads, 1);
	if (done > 0)
		file_count(file, COUNT_read, (uint64_t)done);
	return done;
}
