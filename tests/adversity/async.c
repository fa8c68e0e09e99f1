/* async.c - POSIX AIO, the kernel's own AIO and io_uring work on files that are read and written by
 * ordinary calls in between: everyone sees at once what the others wrote. */
#include "adversity.h"

#include <aio.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <sys/mman.h>

enum { PIECE = 256 * 1024, KINDS = 4 };

/* A transfer of one piece; each kind returns when it is done. */
struct piece {
	int fd;
	int writes;
	void *bytes;
	off_t at;
};

static ssize_t by_call(const struct piece *p)
{
	must(lseek(p->fd, p->at, SEEK_SET) == p->at, "lseek");
	return p->writes ? write(p->fd, p->bytes, PIECE) : read(p->fd, p->bytes, PIECE);
}

static ssize_t by_posix_aio(const struct piece *p)
{
	struct aiocb block = {
		.aio_fildes = p->fd, .aio_buf = p->bytes, .aio_nbytes = PIECE, .aio_offset = p->at};
	const struct aiocb *list[] = {&block};

	must((p->writes ? aio_write(&block) : aio_read(&block)) == 0, "POSIX AIO");
	while (aio_error(&block) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	return aio_return(&block);
}

static ssize_t by_kernel_aio(const struct piece *p)
{
	static aio_context_t context;
	struct iocb block = {.aio_fildes = p->fd,
			     .aio_lio_opcode = p->writes ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD,
			     .aio_buf = (uintptr_t)p->bytes,
			     .aio_nbytes = PIECE,
			     .aio_offset = p->at};
	struct iocb *list[] = {&block};
	struct io_event event;

	if (!context)
		must(syscall(SYS_io_setup, 8, &context) == 0, "io_setup");
	must(syscall(SYS_io_submit, context, 1, list) == 1, "io_submit");
	must(syscall(SYS_io_getevents, context, 1, 1, &event, NULL) == 1, "io_getevents");
	return event.res;
}

static struct {
	int fd;
	unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
} ring;

static void *map_ring(size_t n, off_t what)
{
	void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, what);

	must(at != MAP_FAILED, "mmap of the ring");
	return at;
}

/* False where io_uring is not to be had. */
static int make_ring(void)
{
	struct io_uring_params p = {0};
	char *sq, *cq;

	ring.fd = (int)syscall(SYS_io_uring_setup, 4, &p);
	if (ring.fd < 0)
		return 0;
	sq = map_ring(p.sq_off.array + p.sq_entries * 4, IORING_OFF_SQ_RING);
	cq = map_ring(p.cq_off.cqes + p.cq_entries * sizeof *ring.cqes, IORING_OFF_CQ_RING);
	ring.sqes = map_ring(p.sq_entries * sizeof *ring.sqes, IORING_OFF_SQES);
	ring.sq_tail = (void *)(sq + p.sq_off.tail);
	ring.sq_mask = (void *)(sq + p.sq_off.ring_mask);
	ring.sq_array = (void *)(sq + p.sq_off.array);
	ring.cq_head = (void *)(cq + p.cq_off.head);
	ring.cq_tail = (void *)(cq + p.cq_off.tail);
	ring.cq_mask = (void *)(cq + p.cq_off.ring_mask);
	ring.cqes = (void *)(cq + p.cq_off.cqes);
	return 1;
}

static ssize_t by_uring(const struct piece *p)
{
	unsigned tail = *ring.sq_tail, place = tail & *ring.sq_mask, head = *ring.cq_head;
	ssize_t moved;

	ring.sqes[place] = (struct io_uring_sqe){
		.opcode = p->writes ? IORING_OP_WRITE : IORING_OP_READ,
		.fd = p->fd,
		.addr = (uintptr_t)p->bytes,
		.len = PIECE,
		.off = p->at,
	};
	ring.sq_array[place] = place;
	__atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
	must(syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1,
	     "io_uring_enter");
	must(__atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE) != head, "no event");
	moved = ring.cqes[head & *ring.cq_mask].res;
	__atomic_store_n(ring.cq_head, head + 1, __ATOMIC_RELEASE);
	return moved;
}

static ssize_t (*kinds[KINDS])(const struct piece *) = {by_call, by_posix_aio, by_kernel_aio,
							by_uring};

static void transfer(int kind, int fd, int writes, void *bytes, off_t at)
{
	must(kinds[kind](&(struct piece){fd, writes, bytes, at}) == PIECE, "transfer");
}

/* Written by one kind, read by the next, then read on by ordinary calls as a stream. */
static void pass(int out, int in)
{
	static unsigned char bytes[PIECE];
	int kind = 0;

	for (off_t at = 0; at < SIZE; at += PIECE, kind = (kind + 1) % KINDS) {
		pattern_fill(bytes, PIECE, at);
		transfer(kind, out, 1, bytes, at);
		memset(bytes, 0, PIECE);
		transfer((kind + 1 + at / PIECE / KINDS % (KINDS - 1)) % KINDS, in, 0, bytes, at);
		must_match(bytes, PIECE, at);
	}
}

/* What an ordinary reader has read ahead is written anew by the others. */
static void rewrite_ahead(int out, int in)
{
	static unsigned char bytes[PIECE];

	for (int kind = 0; kind < KINDS; kind++) {
		must(lseek(in, 0, SEEK_SET) == 0, "lseek");
		read_some(in, 0, SIZE / 2);
		memset(bytes, 'a' + kind, PIECE);
		transfer(kind, out, 1, bytes, SIZE / 2);
		must(read(in, bytes, PIECE) == PIECE && bytes[0] == 'a' + kind &&
			     bytes[PIECE - 1] == 'a' + kind,
		     "what was written is not read");
		pattern_fill(bytes, PIECE, SIZE / 2);
		transfer(kind, out, 1, bytes, SIZE / 2);
		must(lseek(in, SIZE / 2, SEEK_SET) == SIZE / 2, "lseek");
		read_some(in, SIZE / 2, SIZE / 2);
	}
}

int main(void)
{
	int out = create("dst"), in = open("dst", O_RDONLY);

	if (!make_ring())
		kinds[3] = by_kernel_aio;
	pass(out, in);
	rewrite_ahead(out, in);
	for (int kind = 0; kind < KINDS; kind++) {
		static unsigned char bytes[PIECE];

		for (off_t at = 0; at < SIZE; at += PIECE) {
			transfer(kind, in, 0, bytes, at);
			must_match(bytes, PIECE, at);
		}
	}
	must_close(out);
	must_close(in);
	must_hold("dst", SIZE);
	return 0;
}
