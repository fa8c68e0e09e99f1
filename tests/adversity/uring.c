/* uring.c - a user of io_uring: it reads and writes by the ring and by ordinary calls in turns, at
 * offsets of its own and at the one that all share, by numbers, registered files and buffers, and
 * opens and closes by it. With a word, no call of libc's enters the ring. */
#include "adversity.h"
#include "ring.h"

#include <sys/uio.h>

enum { KINDS = 6, FLIGHT = 4, REGISTERED = 2, IN = 0, OUT = 1 };

static const size_t blocks[] = {100000, 4096, MIB, 300, 128 * 1024};
static unsigned char buffer[MIB] __attribute__((aligned(4096)));

/* A registered file and its number: at = -1 is the offset of the description. */
struct transfer {
	int fd, place, writes;
	size_t n;
	off_t at;
};

static int by_call(const struct transfer *t)
{
	ssize_t n;

	if (t->at >= 0)
		n = t->writes ? pwrite(t->fd, buffer, t->n, t->at)
			      : pread(t->fd, buffer, t->n, t->at);
	else
		n = t->writes ? write(t->fd, buffer, t->n) : read(t->fd, buffer, t->n);
	return n < 0 ? -errno : (int)n;
}

static struct io_uring_sqe request(const struct transfer *t, int opcode)
{
	return (struct io_uring_sqe){.opcode = opcode,
				     .fd = t->fd,
				     .addr = (uintptr_t)buffer,
				     .len = t->n,
				     .off = t->at};
}

static int by_ring(const struct transfer *t)
{
	struct io_uring_sqe one = request(t, t->writes ? IORING_OP_WRITE : IORING_OP_READ);

	return ring_do(&one);
}

static int by_vector(const struct transfer *t)
{
	struct iovec iov[] = {{buffer, t->n / 3}, {buffer + t->n / 3, t->n - t->n / 3}};
	struct io_uring_sqe one = request(t, t->writes ? IORING_OP_WRITEV : IORING_OP_READV);

	one.addr = (uintptr_t)iov;
	one.len = 2;
	return ring_do(&one);
}

static int by_place(const struct transfer *t)
{
	struct io_uring_sqe one = request(t, t->writes ? IORING_OP_WRITE : IORING_OP_READ);

	one.fd = t->place;
	one.flags = IOSQE_FIXED_FILE;
	return ring_do(&one);
}

static int by_buffer(const struct transfer *t)
{
	struct io_uring_sqe one =
		request(t, t->writes ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED);

	one.fd = t->place;
	one.flags = IOSQE_FIXED_FILE;
	return ring_do(&one);
}

/* Twice as often as the others. */
static int (*const kinds[KINDS])(const struct transfer *) = {by_call,   by_ring,  by_call,
							     by_vector, by_place, by_buffer};

/* One transfer of the bytes that belong at `at`, by whose turn it is; how many it moved. */
static size_t step(int fd, int place, int writes, unsigned turn, off_t at)
{
	struct transfer t = {fd, place, writes, blocks[turn / 7 % 5], -1};
	int explicit = turn % 11 % 3 == 0, n;

	if (at + (off_t)t.n > SIZE)
		t.n = SIZE - at;
	if (writes)
		pattern_fill(buffer, t.n, at);
	if (explicit)
		t.at = at;
	n = kinds[turn % KINDS](&t);
	must(n > 0, writes ? "write" : "read");
	if (!writes)
		must_match(buffer, n, at);
	if (explicit)
		must(lseek(fd, n, SEEK_CUR) == at + n, "lseek");
	else if (turn % 5 == 0)
		must(lseek(fd, 0, SEEK_CUR) == at + n, "offset");
	return n;
}

static void all_in_turns(int fd, int place, int writes, unsigned turn)
{
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	for (off_t at = 0; at < SIZE; turn++)
		at += step(fd, place, writes, turn, at);
}

static void must_register(int place, int fd)
{
	struct io_uring_files_update update = {.offset = place, .fds = (uintptr_t)&fd};

	must(ring_call(SYS_io_uring_register, ring.fd, IORING_REGISTER_FILES_UPDATE, (long)&update,
		       1) == 1,
	     "register");
}

static void begin(void)
{
	int none[REGISTERED] = {-1, -1};
	struct iovec iov = {buffer, sizeof buffer};

	if (!ring_make()) {
		dprintf(2, "io_uring_setup: %s\n", strerror(errno));
		_exit(77);
	}
	must(ring_call(SYS_io_uring_register, ring.fd, IORING_REGISTER_FILES, (long)none,
		       REGISTERED) == 0,
	     "registered files");
	must(ring_call(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, (long)&iov, 1) == 0,
	     "registered buffers");
}

static void turns(unsigned turn)
{
	int in = open_src(), out = create("dst");

	must_register(IN, in);
	must_register(OUT, out);
	all_in_turns(in, IN, 0, turn);
	all_in_turns(out, OUT, 1, turn);
	all_in_turns(out, OUT, 0, turn + 1);
	must_close(in);
	must_close(out);
	must_hold("dst", SIZE);
}

/* What is registered stays open when its number is closed, and is another file's by then. */
static void outlive(void)
{
	int in = open_src(), out = create("dst.later"), other;
	struct transfer t = {-1, IN, 0, MIB, 0};

	must_register(IN, in);
	must_register(OUT, out);
	read_some(in, 0, SIZE / 2);
	write_some(out, 0, SIZE / 2);
	must_close(in);
	must_close(out);
	must((other = open("dst", O_RDONLY)) == in && create("dst.other") == out, "numbers");
	for (off_t at = SIZE / 2; at < SIZE; at += MIB) {
		t.at = at;
		t.place = IN;
		t.writes = 0;
		must(by_place(&t) == MIB, "read of what is registered");
		must_match(buffer, MIB, at);
		t.place = OUT;
		t.writes = 1;
		must(by_place(&t) == MIB, "write of what is registered");
		read_some(other, at - SIZE / 2, MIB);
		write_some(out, at - SIZE / 2, MIB);
	}
	must_close(in);
	must_close(out);
	must_hold("dst.later", SIZE);
	must_hold("dst.other", SIZE / 2);
}

static int open_by_ring(const char *name)
{
	struct io_uring_sqe one = {.opcode = IORING_OP_OPENAT,
				   .fd = AT_FDCWD,
				   .addr = (uintptr_t)name,
				   .open_flags = O_RDWR | O_CREAT,
				   .len = ANY_MODE};
	int fd = ring_do(&one);

	must(fd >= 0, "open by the ring");
	return fd;
}

static void close_by_ring(int fd)
{
	must(ring_do(&(struct io_uring_sqe){.opcode = IORING_OP_CLOSE, .fd = fd}) == 0,
	     "close by the ring");
}

/* Bytes that are not those of src. */
static void other_bytes(int fd, int writes)
{
	for (off_t at = 0; at < SIZE; at += BLOCK) {
		size_t n = SIZE - at < BLOCK ? SIZE - at : BLOCK;

		if (writes)
			pattern_fill(buffer, n, at + SIZE);
		must((writes ? write(fd, buffer, n) : read(fd, buffer, n)) == (ssize_t)n, "other");
		must_match(buffer, n, at + SIZE);
	}
}

/* Numbers come and go without a call of libc's: what is there now is what is read and written. */
static void replace(void)
{
	int fd = open_src(), again;

	read_some(fd, 0, SIZE / 2);
	close_by_ring(fd);
	must((again = open_by_ring("other")) == fd, "numbers");
	other_bytes(again, 1);
	must(lseek(again, 0, SEEK_SET) == 0, "lseek");
	close_by_ring(again);
	must(open_src() == fd, "numbers");
	read_some(fd, 0, SIZE / 2);
	close_by_ring(fd);
	must((again = open_by_ring("other")) == fd, "numbers");
	other_bytes(again, 0);
	close_by_ring(again);
	must(open_src() == fd, "numbers");
	read_all(fd);
	must_close(fd);
}

/* Small calls, which could be kept together for later, with the ring's in between. */
static void small(void)
{
	int in = open_src(), out = create("dst.small");
	struct transfer t;
	off_t at = 0;

	while (at < MIB) {
		for (int i = 0; i < 70; i++, at += 100) {
			read_some(in, at, 100);
			write_some(out, at, 100);
		}
		t = (struct transfer){out, OUT, 0, 100, at - 100};
		must(by_ring(&t) == 100, "what was written just now");
		must_match(buffer, 100, at - 100);
		t = (struct transfer){in, IN, 0, 4096, -1};
		must(by_ring(&t) == 4096, "read");
		must_match(buffer, 4096, at);
		t = (struct transfer){out, OUT, 1, 4096, -1};
		must(by_ring(&t) == 4096, "write");
		at += 4096;
	}
	must_close(in);
	must_close(out);
	must_hold("dst.small", at);
}

/* Writes and reads that are under way when their number is closed. */
static void in_flight(int writes)
{
	int fd = writes ? create("dst.flight") : open_src(), n;
	struct transfer t = {.fd = fd, .n = MIB / FLIGHT};
	struct io_uring_sqe one;
	uint64_t at;

	if (!writes)
		read_some(fd, 0, MIB / FLIGHT);
	pattern_fill(buffer, MIB, 0);
	for (t.at = 0; t.at < MIB; t.at += t.n) {
		one = request(&t, writes ? IORING_OP_WRITE : IORING_OP_READ);
		one.addr += t.at;
		one.user_data = t.at;
		ring_submit(&one);
	}
	must_close(fd);
	for (int i = 0; i < FLIGHT; i++) {
		n = ring_wait(&at);
		must(n == MIB / FLIGHT, "in flight");
		must_match(buffer + at, n, at);
	}
	if (writes)
		must_hold("dst.flight", MIB);
}

/* A reader that was at the end finds what the ring appended there, and the ring what it did. */
static void grow(void)
{
	int out = open("dst.grown", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, ANY_MODE), in;
	struct transfer t = {.fd = out, .place = OUT, .writes = 1, .n = BLOCK, .at = -1};

	must((in = open("dst.grown", O_RDONLY)) >= 0, "open");
	must_register(OUT, out);
	for (off_t at = 0; at < 80 * BLOCK; at += BLOCK) {
		must(read(in, buffer, 1) == 0, "the end");
		pattern_fill(buffer, BLOCK, at);
		must(kinds[at / BLOCK % KINDS](&t) == BLOCK, "append");
		read_some(in, at, BLOCK);
	}
	must_close(in);
	must_close(out);
	must_hold("dst.grown", 80 * BLOCK);
}

int main(int argc, char **argv)
{
	(void)argv;
	ring_unseen = argc > 1;
	begin();
	for (unsigned turn = 0; turn < 3; turn++)
		turns(turn * 31);
	outlive();
	replace();
	small();
	in_flight(0);
	in_flight(1);
	grow();
	return 0;
}
