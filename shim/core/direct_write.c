/* direct_write.c - large writes: the aligned middle past the page cache, the edges through it. */
#include "direct_file.h"

#include "signals.h"
#include "stream.h"
#include "sys.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>

struct writing {
	struct file *file;
	struct direct *direct;
	int fd;
	const struct statx *st; /* of the file, before */
	const char *from;
	int64_t at;
	int64_t n;
	uint64_t before; /* the program's signal mask */
};

static enum reason not_plain(int fd)
{
	long flags = sys_getflags(fd);

	if (sys_failed(flags) || flags & O_APPEND)
		return REASON_APPEND;
	if (flags & (O_DSYNC | O_DIRECT))
		return REASON_OWN_DIRECT;
	return writeback_allowed() ? REASON_NONE : REASON_SIZE_LIMIT;
}

bool direct_is_plain(struct file *file, int fd)
{
	enum reason reason = not_plain(fd);

	if (reason != REASON_NONE)
		file_note(file, reason);
	return reason == REASON_NONE;
}

bool direct_clears(struct file *file, int fd, int64_t at, int64_t n)
{
	int64_t cached;

	if (atomic_load_explicit(&file->mapped, memory_order_relaxed)) {
		file_note(file, REASON_MAPPED);
		return false;
	}
	if (!file_treatment(file)->keep)
		sys_advise(fd, at, n, POSIX_FADV_DONTNEED);
	cached = residency_bytes(file->probe, fd, at, n);
	if (cached)
		file_note(file, cached < 0 ? REASON_KEEP_UNKNOWN : REASON_CACHED);
	return !cached;
}

/* The part that is moved past the cache, [*from, *to). */
static bool middle(const struct writing *writing, int64_t *from, int64_t *to)
{
	*from = align_up(writing->at, writing->direct->block);
	*to = align_down(writing->at + writing->n, writing->direct->block);
	return *to - *from >= DIRECT_LARGE / 2;
}

static bool have_bounce(struct direct *direct, const struct file *file, int64_t n)
{
	int64_t size = smaller(n, smaller((int64_t)file_treatment(file)->block, BOUNCE_MOST / 4));

	if (direct->out.block && direct->out.size < size)
		bounce_end(&direct->out);
	return direct->out.block || bounce_begin(&direct->out, size);
}

static bool prepare(const struct writing *writing)
{
	struct file *file = writing->file;
	int64_t from, to;

	if (!direct_is_plain(file, writing->fd) || !middle(writing, &from, &to) ||
	    !direct_clears(file, writing->fd, from, to - from) ||
	    !direct_can_write(writing->direct, writing->fd))
		return false;
	if (have_bounce(writing->direct, file, to - from))
		return usermem_readable(writing->from, (size_t)writing->n);
	file_note(file, REASON_NO_MEMORY);
	return false;
}

/* Writes up to `to` by the program's own descriptor; returns what it moved, or -errno. */
static int64_t put_through_cache(const struct writing *writing, int64_t done, int64_t to)
{
	int64_t moved;

	while (writing->at + done < to) {
		moved = sys_pwrite(writing->fd, writing->from + done,
				   (size_t)(to - writing->at - done), writing->at + done);
		if (moved <= 0)
			return done ? done : moved;
		done += moved;
	}
	return done;
}

/* Writes [at + done, to) past the cache; stops where that fails. Returns the new `done`. */
static int64_t put_past_cache(const struct writing *writing, int64_t done, int64_t to)
{
	struct direct *direct = writing->direct;
	int64_t n, moved;

	while (writing->at + done < to) {
		signals_let_end(&writing->before);
		n = smaller(to - writing->at - done, align_down(direct->out.size, direct->block));
		memcpy(direct->out.block, writing->from + done, (size_t)n);
		moved = sys_pwrite(direct->writer.fd, direct->out.block, (size_t)n,
				   writing->at + done);
		if (moved <= 0)
			break;
		done += moved;
		if (moved < n)
			break;
	}
	return done;
}

/*
 * Head, middle and tail; where the middle stops, the kernel is asked for the rest and says why. The
 * tail is not for another file that got the number while the middle was written.
 */
static int64_t put(const struct writing *writing)
{
	int64_t from, to, done, past;

	middle(writing, &from, &to);
	done = put_through_cache(writing, 0, from);
	if (done < from - writing->at)
		return done;
	past = put_past_cache(writing, done, to) - done;
	file_count(writing->file, COUNT_direct, (uint64_t)past);
	file_count(writing->file, COUNT_bounced, (uint64_t)past);
	if (past && !file_still(writing->st, writing->fd))
		return done + past;
	return put_through_cache(writing, done + past, writing->at + writing->n);
}

/* At the description's own offset, which is moved on first; elsewhere than expected: buffered. */
static int64_t put_at_own(struct writing *writing)
{
	int64_t expected = writing->at, end = sys_advance(writing->fd, writing->n), done;

	if (end < 0)
		return FORWARD;
	writing->at = end - writing->n;
	done = writing->at == expected ? put(writing) : put_through_cache(writing, 0, end);
	if (larger(done, 0) < writing->n && file_still(writing->st, writing->fd))
		sys_advance(writing->fd, larger(done, 0) - writing->n);
	return done;
}

static int64_t write_held(struct writing *writing, int64_t offset)
{
	struct statx st;

	if (!writing->direct->block || !writing->direct->writable ||
	    !file_confirm(writing->file, writing->fd, &st) || !S_ISREG(st.stx_mode))
		return FORWARD;
	writing->st = &st;
	writing->at = offset < 0 ? sys_position(writing->fd) : offset;
	if (writing->at < 0 || writing->at > INT64_MAX - writing->n || !prepare(writing))
		return FORWARD;
	return offset < 0 ? put_at_own(writing) : put(writing);
}

/* While signals wait (signals.h), and so does asynchronous cancellation. */
static int64_t write_quietly(struct writing *writing, int64_t offset)
{
	int64_t done = FORWARD;

	if (sys_failed(sys_block_signals(&writing->before)))
		return done;
	writing->direct = direct_hold(writing->file, writing->fd);
	if (writing->direct) {
		done = write_held(writing, offset);
		direct_release(writing->direct);
	}
	sys_restore_signals(&writing->before);
	return done;
}

ssize_t direct_write(struct file *file, int fd, const void *buffer, size_t n, int64_t offset)
{
	struct writing writing = {.file = file, .fd = fd, .from = buffer};
	int64_t done;

	if (!usermem_spans(buffer, n))
		return FORWARD;
	writing.n = smaller((int64_t)n, SYS_CALL_MOST);
	if (writing.n < DIRECT_LARGE || offset < -1)
		return FORWARD;
	if (offset < 0 && file_is_passed(file)) {
		file_note(file, REASON_INHERITED);
		return FORWARD;
	}
	done = write_quietly(&writing, offset);
	if (done == FORWARD)
		return done;
	file_count(file, COUNT_writes, 1);
	if (done > 0) {
		file_count(file, COUNT_written, (uint64_t)done);
		stream_did_write(file, fd, writing.at + done, (size_t)done);
	}
	return done;
}
