/* async.c - POSIX AIO, the kernel's own AIO and io_uring work on files that are read and written by
 * ordinary calls in between: everyone sees at once what the others wrote. */
#include "adversity.h"
#include "ring.h"

#include <aio.h>
#include <linux/aio_abi.h>

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

static ssize_t by_uring(const struct piece *p)
{
	return ring_do(&(struct io_uring_sqe){
		.opcode = p->writes ? IORING_OP_WRITE : IORING_OP_READ,
		.fd = p->fd,
		.addr = (uintptr_t)p->bytes,
		.len = PIECE,
		.off = p->at,
	});
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

	if (!ring_make())
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
