/* rival.c - direct I/O by programs that know of it: the best that the device gives, and the naive.
 *   rival best-read FILE             4 MiB requests, four of them in flight (Linux native AIO),
 *   rival best-write FILE SIZE       into huge pages: what fio does with libaio and iodepth=4
 *   rival naive-read FILE AMOUNT BLOCK    each block by itself, rounded out to 4 KiB, one at a
 *   rival naive-write FILE AMOUNT BLOCK   time, ordinary memory; writes read, change, write back
 */
#include "bench.h"

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STEP = 4 << 20, DEPTH = 4, SECTOR = 4096 };

struct pipe {
	aio_context_t context;
	struct iocb request[DEPTH];
	unsigned char *buffer;
	int fd, opcode;
	int64_t next, size; /* where the next request starts, and the end of all */
};

static void submit(struct pipe *p, int slot)
{
	struct iocb *request = &p->request[slot];

	if (p->next >= p->size)
		return;
	*request = (struct iocb){.aio_data = slot,
				 .aio_lio_opcode = p->opcode,
				 .aio_fildes = p->fd,
				 .aio_buf = (uintptr_t)(p->buffer + (size_t)slot * STEP),
				 .aio_nbytes = STEP,
				 .aio_offset = p->next};
	if (p->opcode == IOCB_CMD_PWRITE)
		stamp(p->buffer + (size_t)slot * STEP, p->next);
	p->next += STEP;
	if (syscall(SYS_io_submit, p->context, 1, &request) != 1)
		die("io_submit");
}

static void settle(struct pipe *p, struct work *w)
{
	struct io_event event;

	if (syscall(SYS_io_getevents, p->context, 1, 1, &event, NULL) != 1)
		die("io_getevents");
	int slot = event.data;

	if (event.res < 0)
		errno = -event.res, die("aio");
	if (event.res != STEP)
		wrong(p->request[slot].aio_offset + event.res);
	if (p->opcode == IOCB_CMD_PREAD)
		check_ends(p->buffer + (size_t)slot * STEP, STEP, p->request[slot].aio_offset);
	w->bytes += STEP;
	submit(p, slot);
}

static void pump(struct pipe *p, struct work *w)
{
	for (int slot = 0; slot < DEPTH; slot++)
		submit(p, slot);
	while (w->bytes < p->size)
		settle(p, w);
}

static int must_open(const char *path, int flags)
{
	int fd = open(path, flags | O_DIRECT, 0644);

	if (fd < 0)
		die("open");
	return fd;
}

static void pipe_start(struct pipe *p, int opcode)
{
	*p = (struct pipe){.opcode = opcode, .buffer = huge_buffer((size_t)DEPTH * STEP)};
	for (int slot = 0; opcode == IOCB_CMD_PWRITE && slot < DEPTH; slot++)
		pattern_fill(p->buffer + (size_t)slot * STEP, STEP, 0);
	if (syscall(SYS_io_setup, DEPTH, &p->context))
		die("io_setup");
}

static int best_read(const char *path)
{
	struct pipe p;
	struct work w;
	struct stat st;

	pipe_start(&p, IOCB_CMD_PREAD);
	work_start(&w);
	p.fd = must_open(path, O_RDONLY);
	if (fstat(p.fd, &st))
		die("fstat");
	p.size = st.st_size;
	pump(&p, &w);
	work_done(&w);
	work_print(&w);
	return 0;
}

static int best_write(const char *path, int64_t size)
{
	struct pipe p;
	struct work w;

	pipe_start(&p, IOCB_CMD_PWRITE);
	work_start(&w);
	p.fd = must_open(path, O_WRONLY | O_CREAT | O_TRUNC);
	p.size = size;
	if (posix_fallocate(p.fd, 0, size))
		die("fallocate");
	pump(&p, &w);
	work_done(&w);
	if (fsync(p.fd))
		die("fsync");
	work_print(&w);
	return 0;
}

static unsigned char *sectors(int64_t block)
{
	unsigned char *p = aligned_alloc(SECTOR, (block / SECTOR + 2) * SECTOR);

	if (!p)
		die("memory");
	memset(p, 0, (block / SECTOR + 2) * SECTOR);
	return p;
}

static int naive_read(const char *path, int64_t amount, int64_t block)
{
	unsigned char *buffer = sectors(block);
	struct work w;

	work_start(&w);
	int fd = must_open(path, O_RDONLY);

	for (; w.bytes < amount; w.bytes += block) {
		int64_t from = w.bytes / SECTOR * SECTOR, skip = w.bytes - from;
		int64_t len = (skip + block + SECTOR - 1) / SECTOR * SECTOR;

		if (pread(fd, buffer, len, from) < skip + block)
			die("pread");
		check_ends(buffer + skip, block, w.bytes);
	}
	work_done(&w);
	work_print(&w);
	return 0;
}

static int naive_write(const char *path, int64_t amount, int64_t block)
{
	unsigned char *buffer = sectors(block), *data = sectors(block);
	struct work w;

	pattern_fill(data, block, 0);
	work_start(&w);
	int fd = must_open(path, O_RDWR | O_CREAT | O_TRUNC);

	for (; w.bytes < amount; w.bytes += block) {
		int64_t from = w.bytes / SECTOR * SECTOR, skip = w.bytes - from;
		int64_t len = (skip + block + SECTOR - 1) / SECTOR * SECTOR;

		if (len > block && pread(fd, buffer, len, from) < 0)
			die("pread");
		stamp(data, w.bytes);
		memcpy(buffer + skip, data, block);
		if (pwrite(fd, buffer, len, from) != len)
			die("pwrite");
	}
	work_done(&w);
	if (ftruncate(fd, amount) || fsync(fd))
		die("fsync");
	work_print(&w);
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	int64_t size = argc > 3 ? atoll(argv[3]) : 0, block = argc > 4 ? atoll(argv[4]) : 0;

	if (strcmp(verb, "best-read") == 0)
		return best_read(argv[2]);
	if (strcmp(verb, "best-write") == 0 && size > 0)
		return best_write(argv[2], size);
	if (strcmp(verb, "naive-read") == 0 && block > 0)
		return naive_read(argv[2], size, block);
	if (strcmp(verb, "naive-write") == 0 && block > 0)
		return naive_write(argv[2], size, block);
	fprintf(stderr, "usage: rival best-read|best-write|naive-read|naive-write FILE ...\n");
	return 2;
}
