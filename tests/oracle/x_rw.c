/* x_rw.c - read and write in all their forms. */
#include "run.h"

#include <aio.h>
#include <linux/magic.h>
#include <sys/uio.h>
#include <sys/vfs.h>

enum { IOVS = 5 };

#pragma weak __read_chk
#pragma weak __pread_chk
extern ssize_t __read_chk(int fd, void *buf, size_t len, size_t room);
extern ssize_t __pread_chk(int fd, void *buf, size_t len, off_t off, size_t room);

static int split(struct iovec *iov, const struct op *op, char *buf, size_t len)
{
	unsigned long long seed = op->a[5];
	int count = 1 + seed % IOVS;

	if (op->a[4] & BAD_COUNT)
		return seed % 2 ? -1 : 2000;
	for (int i = 0; i < count; i++) {
		size_t part = i + 1 == count ? len : seed % 3 ? len / (2 + i) : 0;

		if (op->a[4] & BUF_ALIGNED && i + 1 < count)
			part &= ~4095UL;
		iov[i] = (struct iovec){buf, part};
		buf += part;
		len -= part;
		seed /= 3;
	}
	return count;
}

static long long offset_of(const struct op *op, int fd)
{
	return op->a[2] + (op->a[4] & FROM_END ? file_size(fd) : 0);
}

static ssize_t read_by(const struct op *op, int fd, char *buf, size_t len)
{
	struct iovec iov[IOVS] = {0};

	switch (op->a[1]) {
	case 1:
		return readv(fd, iov, split(iov, op, buf, len));
	case 2:
		return preadv2(fd, iov, split(iov, op, buf, len), -1, op->a[4] >> RWF_SHIFT);
	case 4:
		return syscall(SYS_read, fd, buf, len);
	case 5:
		return syscall(SYS_readv, fd, iov, split(iov, op, buf, len));
	case 3:
		if (__read_chk)
			return __read_chk(fd, buf, len, len);
		/* fall through */
	default:
		return read(fd, buf, len);
	}
}

static ssize_t pread_by(const struct op *op, int fd, char *buf, size_t len, long long off)
{
	struct iovec iov[IOVS] = {0};

	switch (op->a[1]) {
	case 1:
		return pread64(fd, buf, len, off);
	case 2:
		return preadv(fd, iov, split(iov, op, buf, len), off);
	case 3:
		return preadv64(fd, iov, split(iov, op, buf, len), off);
	case 4:
		return preadv2(fd, iov, split(iov, op, buf, len), off, op->a[4] >> RWF_SHIFT);
#if __SIZEOF_LONG__ == 8
	case 6:
		return syscall(SYS_pread64, fd, buf, len, off);
#endif
	case 5:
		if (__pread_chk)
			return __pread_chk(fd, buf, len, off, len);
		/* fall through */
	default:
		return pread(fd, buf, len, off);
	}
}

static ssize_t write_by(const struct op *op, int fd, char *buf, size_t len)
{
	struct iovec iov[IOVS] = {0};

	switch (op->a[1]) {
	case 1:
		return writev(fd, iov, split(iov, op, buf, len));
	case 2:
		return pwritev2(fd, iov, split(iov, op, buf, len), -1, op->a[4] >> RWF_SHIFT);
	case 4:
		return syscall(SYS_write, fd, buf, len);
	case 5:
		return syscall(SYS_writev, fd, iov, split(iov, op, buf, len));
	default:
		return write(fd, buf, len);
	}
}

static ssize_t pwrite_by(const struct op *op, int fd, char *buf, size_t len, long long off)
{
	struct iovec iov[IOVS] = {0};

	switch (op->a[1]) {
	case 1:
		return pwrite64(fd, buf, len, off);
	case 2:
		return pwritev(fd, iov, split(iov, op, buf, len), off);
	case 3:
		return pwritev64(fd, iov, split(iov, op, buf, len), off);
	case 4:
		return pwritev2(fd, iov, split(iov, op, buf, len), off, op->a[4] >> RWF_SHIFT);
#if __SIZEOF_LONG__ == 8
	case 5:
		return syscall(SYS_pwrite64, fd, buf, len, off);
#endif
	default:
		return pwrite(fd, buf, len, off);
	}
}

/*
 * A second descriptor, by which unaligned requests are served, could cost the process its record
 * locks: then the kernel's refusal stands. So it does where another description has locked the
 * file: of such a lock it cannot be told whether it hides one of the process.
 */
static int not_served(const struct op *op)
{
	return direct_promised(op->a[0]) && (locks_used || locked_by_others(fd_of(op->a[0])));
}

/*
 * XFS (Linux 6.18) leaves chance bytes behind a write that a bad page cut short, and, now and then,
 * where direct and buffered writes share a block: two bare runs differ there. On ext4 a direct
 * read of what such a write had reserved fails with EIO, and a direct write that RLIMIT_FSIZE cuts
 * within a block may write some extents before it is refused.
 */
static int on_xfs(void)
{
	static int answer = -1;
	struct statfs fs;

	if (answer < 0)
		answer = statfs(".", &fs) == 0 && fs.f_type == XFS_SUPER_MAGIC;
	return answer;
}

static int left_to_chance(const struct op *op)
{
	int cut_short = op->a[4] & (BUF_EDGE | BUF_NULL);

	int direct = asked_direct(slot_of(op->a[0]));

	return (cut_short && direct_is != DIRECT_STRICT) || (direct && size_limited) ||
	       (on_xfs() && (cut_short || direct));
}

/*
 * With O_DIRECT the kernel meets a bad page after it has begun (and leaves stale blocks in the
 * file), and clears memory up to the length claimed, beyond the file's end: nothing to compare.
 */
static int incomparable(const struct op *op, int reads)
{
	if (not_served(op) || (!reads && left_to_chance(op)))
		return 1;
	return asked_direct(slot_of(op->a[0])) &&
	       (op->a[4] & (BUF_EDGE | BUF_NULL) || op->a[3] > BUF_MAX);
}

/* A few bytes of no alignment; the position is as before. */
static void read_unsaid(int fd)
{
	char some[999];
	ssize_t got = read(fd, some, sizeof(some));

	say(" unsaid");
	settle();
	if (got > 0)
		raw_lseek(fd, -got, SEEK_CUR);
}

static void transfer(const struct op *op, int reads, int positioned)
{
	int fd = fd_of(op->a[0]);
	size_t len = op->a[3];
	char *buf = reads ? buf_in(op) : buf_out(op, len);
	long long off = offset_of(op, fd), got;

	if (op->a[4] & UNSAID) {
		read_unsaid(fd);
		return;
	}
	if (incomparable(op, reads)) {
		say(" skipped");
		return;
	}
	if (reads)
		got = positioned ? pread_by(op, fd, buf, len, off) : read_by(op, fd, buf, len);
	else
		got = positioned ? pwrite_by(op, fd, buf, len, off) : write_by(op, fd, buf, len);
	say_result(got);
	if (reads)
		say_read(buf, got, len, asked_direct(slot_of(op->a[0])));
	say_slot(op->a[0]);
}

void do_read(const struct op *op)
{
	transfer(op, 1, 0);
}

void do_pread(const struct op *op)
{
	transfer(op, 1, 1);
}

void do_write(const struct op *op)
{
	transfer(op, 0, 0);
}

void do_pwrite(const struct op *op)
{
	transfer(op, 0, 1);
}

/* a[1] reads of a[3] bytes, to the end of the file at most: a stream. */
void do_runread(const struct op *op)
{
	int fd = fd_of(op->a[0]);
	unsigned long long sum = 0;
	long long calls = 0, got = 0;

	if (not_served(op)) {
		say(" skipped");
		return;
	}
	while (calls < op->a[1]) {
		char *buf = buf_in(op);

		quiet();
		got = read(fd, buf, op->a[3]);
		calls++;
		if (got <= 0)
			break;
		sum = sum * 31 + buf_sum(buf, got);
	}
	say_result(got);
	say(" calls=%lld sums=%llx", calls, sum);
	/* A direct read of the last block fills the buffer past what it returns. */
	say_read(buf_in(op), asked_direct(slot_of(op->a[0])) ? 0 : op->a[3], op->a[3],
		 asked_direct(slot_of(op->a[0])));
	say_slot(op->a[0]);
}

void do_runwrite(const struct op *op)
{
	int fd = fd_of(op->a[0]);
	struct op each = *op;
	long long calls = 0, got = 0, total = 0;

	if (not_served(op) || left_to_chance(op)) {
		say(" skipped");
		return;
	}
	while (calls < op->a[1]) {
		quiet();
		got = write(fd, buf_out(&each, op->a[3]), op->a[3]);
		calls++;
		if (got <= 0)
			break;
		total += got;
		each.a[5] += 4099;
	}
	say_result(got);
	say(" calls=%lld total=%lld", calls, total);
	say_slot(op->a[0]);
}

static int aio_by(const struct op *op, struct aiocb *cb)
{
	struct aiocb *list[] = {NULL, cb};

	if (op->a[1] >= 2)
		return lio_listio(LIO_WAIT, list, 2, NULL);
	return op->a[1] ? aio_write(cb) : aio_read(cb);
}

/* A child has none of its parent's aio threads. a[1] 0: aio_read, 1: aio_write, 2 and 3: a list. */
void do_aio(const struct op *op)
{
	int fd = fd_of(op->a[0]);
	size_t len = op->a[3];
	int writes = op->a[1] % 2;
	struct aiocb cb = {.aio_fildes = fd, .aio_nbytes = len};
	const struct aiocb *all[] = {&cb};
	char *buf = writes ? buf_out(op, len) : buf_in(op);
	long long got;
	int error;

	if (in_child || direct_promised(op->a[0])) {
		say(" skipped");
		return;
	}
	cb.aio_buf = buf;
	cb.aio_offset = offset_of(op, fd);
	cb.aio_lio_opcode = writes ? LIO_WRITE : LIO_READ;
	say_result(aio_by(op, &cb));
	while ((error = aio_error(&cb)) == EINPROGRESS)
		aio_suspend(all, 1, NULL);
	quiet();
	got = aio_return(&cb);
	say_result(got);
	say(" aio=%d", error);
	if (!writes)
		say_read(buf, got, len, asked_direct(slot_of(op->a[0])));
	say_slot(op->a[0]);
}
