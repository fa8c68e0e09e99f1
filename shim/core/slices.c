/* slices.c - large reads and writes piece by piece, with the return value of the whole. */
#include "slices.h"

#include "dontcache.h"
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

/*
 * Moves `n` bytes; returns what was moved up to the first short or failed piece. Pieces end where
 * the kernel's own would, at multiples of a large folio: a bad page in the buffer then cuts both
 * at the same byte. What is left when the number has become another file's is not for that file.
 */
static ssize_t move_all(struct file *file, int fd, enum direction direction, char *buffer,
			int64_t n, int64_t offset, const struct statx *st)
{
	int64_t done = 0, piece;
	ssize_t moved;

	for (; done < n; done += moved) {
		if (done && !file_still(st, fd))
			return done;
		piece = smaller(n - done, SLICE - (offset + done) % SLICE);
		moved = move_slice(file, fd, direction, buffer + done, piece, offset + done);
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
static bool exact(const struct file *file, int fd, enum direction direction, struct statx *st)
{
	long flags = sys_getflags(fd);

	if (!file_confirm(file, fd, st) || !S_ISREG(st->stx_mode) || sys_failed(flags))
		return false;
	if (flags & O_DIRECT || (flags & O_ACCMODE) == (direction == READ ? O_WRONLY : O_RDONLY))
		return false;
	if (direction == READ)
		return true;
	return !(flags & (O_APPEND | O_DSYNC)) && writeback_allowed();
}

/* How much of a read the file can serve; writes are as long as they are. */
static int64_t available(int fd, enum direction direction, int64_t n, int64_t offset, int64_t size)
{
	if (direction == WRITE)
		return n;
	return smaller(n, larger(size - (offset < 0 ? sys_position(fd) : offset), 0));
}

/* At the description's own offset, which is moved on first. */
static ssize_t move_at_own(struct file *file, int fd, enum direction direction, char *buffer,
			   int64_t n, const struct statx *st)
{
	int64_t start = reserve(fd, direction, file_size(st), &n);
	ssize_t moved;

	if (start < 0)
		return FORWARD;
	moved = move_all(file, fd, direction, buffer, n, start, st);
	if (larger(moved, 0) < n && file_still(st, fd))
		sys_advance(fd, larger(moved, 0) - n);
	return moved;
}

/*
 * The same with signals held back, as the kernel holds them back for a call on a file: a handler
 * that never returns would leave a hole behind (tests/adversity/jump.c), and so would a thread that
 * is cancelled.
 */
static ssize_t write_at_own(struct file *file, int fd, char *buffer, int64_t n,
			    const struct statx *st)
{
	uint64_t mask;
	ssize_t moved;

	sys_block_signals(&mask);
	moved = move_at_own(file, fd, WRITE, buffer, n, st);
	sys_restore_signals(&mask);
	return moved;
}

static ssize_t move(struct file *file, int fd, enum direction direction, char *buffer,
		    size_t length, int64_t offset)
{
	int64_t n = smaller((int64_t)length, SYS_CALL_MOST);
	struct statx st;
	ssize_t moved;

	if (!usermem_spans(buffer, length) || offset < -1 || !exact(file, fd, direction, &st))
		return FORWARD;
	n = available(fd, direction, n, offset, file_size(&st));
	if (n <= SLICE || offset > INT64_MAX - n)
		return FORWARD;
	if (offset >= 0)
		moved = move_all(file, fd, direction, buffer, n, offset, &st);
	else if (direction == WRITE)
		moved = write_at_own(file, fd, buffer, n, &st);
	else
		moved = move_at_own(file, fd, direction, buffer, n, &st);
	if (moved != FORWARD)
		count(file, direction, moved);
	return moved;
}

ssize_t slices_read(struct file *file, int fd, void *buffer, size_t n, int64_t offset)
{
	return move(file, fd, READ, buffer, n, offset);
}

ssize_t slices_write(struct file *file, int fd, const void *buffer, size_t n, int64_t offset)
{
	return move(file, fd, WRITE, (char *)buffer, n, offset);
}
