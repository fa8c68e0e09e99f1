/* slices.c - large reads and writes piece by piece, with the return value of the whole. */
#include "slices.h"

#include "dontcache.h"
#include "signals.h"
#include "sys.h"
#include "usermem.h"
#include "writeback.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

enum direction { READ, WRITE };

/*
 * Moves the description on by `n` and returns where it was; a reader only up to the end of the
 * file, with the rest given back. `n` becomes what was reserved.
 */
static int64_t reserve(int fd, enum direction direction, int64_t size, int64_t *n)
{
	int64_t end, extra;

	end = sys_advance(fd, *n);
	if (end < 0)
		return end;
	extra = direction == READ ? smaller(larger(end - size, 0), *n) : 0;
	if (extra)
		sys_advance(fd, -extra);
	*n -= extra;
	return end - *n - extra;
}

static ssize_t move_slice(struct file *file, int fd, enum direction direction, void *at, int64_t n,
			  int64_t offset)
{
	ssize_t moved;

	if (direction == READ) {
		moved = dontcache_read_piece(file, fd, at, (size_t)n, offset);
		if (moved != FORWARD)
			return moved;
		engine_reads(file, fd, offset, (size_t)n);
		moved = sys_pread(fd, at, (size_t)n, offset);
		if (moved > 0)
			stream_did_read(file, (size_t)moved);
		return moved;
	}
	moved = dontcache_write_piece(file, fd, at, (size_t)n, offset);
	if (moved > 0)
		stream_did_write(file, fd, offset + moved, (size_t)moved);
	return moved;
}

/* A call in the course of being carried out. */
struct slicing {
	struct file *file;
	int fd;
	enum direction direction;
	char *buffer;
	int64_t n;
	const struct statx *st; /* of the file, before */
	const uint64_t *before; /* the program's signal mask, where signals wait for us; or NULL */
};

/*
 * Moves all from `offset` on; returns what was moved up to the first short or failed piece. Pieces
 * end where the kernel's own would, at multiples of a large folio: a bad page in the buffer then
 * cuts both at the same byte. What is left when the number has become another file's is not for
 * that file.
 */
static ssize_t move_all(const struct slicing *of, int64_t offset)
{
	int64_t done = 0, piece;
	ssize_t moved;

	for (; done < of->n; done += moved) {
		if (done && !file_still(of->st, of->fd))
			return done;
		if (done && of->before)
			signals_let_end(of->before);
		piece = smaller(of->n - done, SLICE - (offset + done) % SLICE);
		moved = move_slice(of->file, of->fd, of->direction, of->buffer + done, piece,
				   offset + done);
		if (moved < 0)
			return done ? done : moved;
		if (moved < piece)
			return done + moved;
	}
	return done;
}

static void count(struct file *file, enum direction direction, ssize_t moved)
{
	file_count(file, direction == READ ? COUNT_reads : COUNT_writes, 1);
	if (moved > 0)
		file_count(file, direction == READ ? COUNT_read : COUNT_written, (uint64_t)moved);
}

/*
 * Whether pieces give what the whole call would: not where bytes go to the end of the file
 * wherever that is, where the kernel itself would cut or refuse a part of the request, or where
 * the program moves data past the cache anyway.
 */
static bool exact(const struct slicing *of, int64_t offset, struct statx *st)
{
	long flags = sys_getflags(of->fd);

	if (!file_confirm(of->file, of->fd, st) || !S_ISREG(st->stx_mode) || sys_failed(flags))
		return false;
	if (flags & O_DIRECT ||
	    (flags & O_ACCMODE) == (of->direction == READ ? O_WRONLY : O_RDONLY))
		return false;
	if (of->direction == READ)
		return true;
	return !(flags & (O_APPEND | O_DSYNC)) && !(offset < 0 && file_is_passed(of->file)) &&
	       writeback_allowed();
}

/* How much of a read the file can serve; writes are as long as they are. */
static int64_t available(const struct slicing *of, int64_t offset, int64_t size)
{
	if (of->direction == WRITE)
		return of->n;
	return smaller(of->n, larger(size - (offset < 0 ? sys_position(of->fd) : offset), 0));
}

/* At the description's own offset, which is moved on first. */
static ssize_t move_at_own(struct slicing *of)
{
	int64_t start = reserve(of->fd, of->direction, file_size(of->st), &of->n);
	ssize_t moved;

	if (start < 0)
		return FORWARD;
	moved = move_all(of, start);
	if (larger(moved, 0) < of->n && file_still(of->st, of->fd))
		sys_advance(of->fd, larger(moved, 0) - of->n);
	return moved;
}

/* The same while signals wait (signals.h), and so does asynchronous cancellation. */
static ssize_t move_quietly(struct slicing *of)
{
	uint64_t before;
	ssize_t moved;

	if (sys_failed(sys_block_signals(&before)))
		return FORWARD;
	of->before = &before;
	moved = move_at_own(of);
	sys_restore_signals(&before);
	return moved;
}

static ssize_t move(struct slicing *of, size_t length, int64_t offset)
{
	struct statx st;
	ssize_t moved;

	of->n = smaller((int64_t)length, SYS_CALL_MOST);
	of->st = &st;
	if (!usermem_spans(of->buffer, length) || offset < -1 || !exact(of, offset, &st))
		return FORWARD;
	of->n = available(of, offset, file_size(&st));
	if (of->n <= SLICE || offset > INT64_MAX - of->n)
		return FORWARD;
	moved = offset < 0 ? move_quietly(of) : move_all(of, offset);
	if (moved != FORWARD)
		count(of->file, of->direction, moved);
	return moved;
}

ssize_t slices_read(struct file *file, int fd, void *buffer, size_t n, int64_t offset)
{
	struct slicing of = {.file = file, .fd = fd, .direction = READ, .buffer = buffer};

	return move(&of, n, offset);
}

ssize_t slices_write(struct file *file, int fd, const void *buffer, size_t n, int64_t offset)
{
	struct slicing of = {.file = file, .fd = fd, .direction = WRITE, .buffer = (char *)buffer};

	return move(&of, n, offset);
}
