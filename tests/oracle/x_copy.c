/* x_copy.c - transfers from descriptor to descriptor. */
#include "run.h"

#include <sys/sendfile.h>

/*
 * The promise is for reads and writes: what the kernel says to a copy may be said too. And a copy
 * to an O_DIRECT descriptor that is refused has written some extents, or none, as they lie: two
 * bare runs differ where one of them calls fsync before.
 */
static int promised(const struct op *op)
{
	if (!direct_promised(op->a[0]) && !asked_direct(slot_of(op->a[1])))
		return 0;
	say(" skipped");
	return 1;
}

static void say_ends(const struct op *op, long long in, long long out)
{
	if (op->a[4] & USE_IN)
		say(" in=%lld", in);
	if (op->a[4] & USE_OUT)
		say(" out=%lld", out);
	say_slot(op->a[0]);
	say_slot(op->a[1]);
}

/* The offset that a call is given: one in memory, none, or a bad pointer. */
static off64_t *pointer(const struct op *op, int bit, off64_t *offset)
{
	if (!(op->a[4] & bit))
		return NULL;
	return op->a[4] & BAD_OFFSET ? (off64_t *)8 : offset;
}

void do_copy(const struct op *op)
{
	int from = fd_of(op->a[0]), to = fd_of(op->a[1]), flags = op->a[4] & BAD_FLAGS ? 64 : 0;
	off64_t in = op->a[2], out = op->a[5];
	off64_t *in_at = pointer(op, USE_IN, &in), *out_at = pointer(op, USE_OUT, &out);

	if (promised(op))
		return;
	if (op->a[4] & BY_NUMBER)
		say_result(syscall(SYS_copy_file_range, from, in_at, to, out_at, (size_t)op->a[3],
				   flags));
	else
		say_result(copy_file_range(from, in_at, to, out_at, op->a[3], flags));
	say_ends(op, in, out);
}

enum { ENOUGH = 1 << 20 };

/* A file sent to its own end never ends: only a little of it then. */
static size_t sendfile_count(const struct op *op, int from, int to)
{
	struct statx a, b;

	if (op->a[3] > ENOUGH && raw_stat(from, &a) == 0 && raw_stat(to, &b) == 0 &&
	    a.stx_ino == b.stx_ino)
		return ENOUGH;
	return op->a[3];
}

void do_sendfile(const struct op *op)
{
	int from = fd_of(op->a[0]), to = fd_of(op->a[1]);
	size_t count = sendfile_count(op, from, to);
	off64_t in64 = op->a[2];
	off_t in = op->a[2];

	if (promised(op))
		return;
	if (op->a[4] & BAD_OFFSET) {
		say_result(sendfile64(to, from, (off64_t *)8, count));
	} else if (sizeof(long) == 8 && op->a[4] & BY_NUMBER) {
		say_result(syscall(SYS_sendfile, to, from, pointer(op, USE_IN, &in64), count));
		in = in64;
	} else if (op->a[5] % 2) {
		say_result(sendfile64(to, from, op->a[4] & USE_IN ? &in64 : NULL, count));
		in = in64;
	} else {
		say_result(sendfile(to, from, op->a[4] & USE_IN ? &in : NULL, count));
	}
	say_ends(op, in, 0);
}

/* Empties the pipe into the file; how many bytes a splice moves at once is the pipe's affair. */
static long long drain(int from, int to, off64_t *out, long long count)
{
	long long moved = 0;

	while (moved < count) {
		long long got;

		quiet();
		got = splice(from, NULL, to, out, count - moved, 0);
		if (got <= 0)
			return moved ? moved : got;
		moved += got;
	}
	return moved;
}

static void splice_all(const struct op *op, int *ends, off64_t *in, off64_t *out)
{
	long long total = 0, got = 1, put = 0;

	while (total < op->a[3] && got > 0) {
		quiet();
		got = op->a[4] & BY_NUMBER
			      ? syscall(SYS_splice, fd_of(op->a[0]), in, ends[1], NULL,
					(size_t)(op->a[3] - total), 0)
			      : splice(fd_of(op->a[0]), in, ends[1], NULL, op->a[3] - total, 0);
		if (got <= 0)
			break;
		put = drain(ends[0], fd_of(op->a[1]), out, got);
		if (put != got)
			break;
		total += got;
	}
	say_result(got > 0 ? total : got);
	say(" total=%lld put=%d", total, put < 0);
}

void do_splice(const struct op *op)
{
	off64_t in = op->a[2], out = op->a[5];
	int ends[2];

	if (promised(op))
		return;
	if (pipe(ends)) {
		say(" no pipe");
		return;
	}
	splice_all(op, ends, op->a[4] & USE_IN ? &in : NULL, op->a[4] & USE_OUT ? &out : NULL);
	close(ends[0]);
	close(ends[1]);
	say_ends(op, in, out);
}

/* a[4] calls of a[3] bytes each: a[2] chooses the call. */
void do_runcopy(const struct op *op)
{
	int from = fd_of(op->a[0]), to = fd_of(op->a[1]);
	long long calls = 0, total = 0, got = 0;

	if (promised(op))
		return;
	while (calls < op->a[4]) {
		quiet();
		got = op->a[2] == RUN_COPY ? copy_file_range(from, NULL, to, NULL, op->a[3], 0)
					   : sendfile(to, from, NULL, op->a[3]);
		calls++;
		if (got <= 0)
			break;
		total += got;
	}
	say_result(got);
	say(" calls=%lld total=%lld", calls, total);
	say_slot(op->a[0]);
	say_slot(op->a[1]);
}
