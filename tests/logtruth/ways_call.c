/* ways_call.c - by system calls, one by one. */
#include "ways.h"

#include <aio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static struct iovec two_parts[] = {{way_buffer, SOME - 1000}, {way_buffer + SOME - 1000, 1000}};

void by_read(void)
{
	int fd = open_src();

	must_move(read(fd, way_buffer, SOME), SOME, "read");
	must_close(fd);
}

void by_read_to_end(void)
{
	int fd = open_src();

	while (read(fd, way_buffer, 65536) > 0)
		;
	must_close(fd);
}

void by_pread(void)
{
	int fd = open_src();

	must_move(pread(fd, way_buffer, SOME, 1), SOME, "pread");
	must_move(pread(fd, way_buffer, SIZE, SIZE - SOME), SOME, "pread at the end");
	must_close(fd);
}

void by_readv(void)
{
	must_move(readv(open_src(), two_parts, 2), SOME, "readv");
}

void by_preadv(void)
{
	must_move(preadv(open_src(), two_parts, 2, 7), SOME, "preadv");
}

void by_preadv2(void)
{
	int fd = open_src();

	must_move(preadv2(fd, two_parts, 2, 7, 0), SOME, "preadv2");
	must_move(preadv2(fd, two_parts, 2, -1, 0), SOME, "preadv2");
}

/* Calls that fail move nothing. */
void by_refused(void)
{
	must_fail(write(open_src(), way_buffer, SOME), EBADF, "write");
	must_fail(read(open("dst", O_WRONLY | O_CREAT, 0644), way_buffer, SOME), EBADF, "read");
}

void by_write(void)
{
	must_move(write(create("dst"), way_buffer, SOME), SOME, "write");
}

void by_append(void)
{
	int fd = open("dst", O_WRONLY | O_CREAT | O_APPEND, 0644);

	for (int i = 0; i < 3; i++)
		must_move(write(fd, way_buffer, SOME / 3), SOME / 3, "write");
}

void by_pwrite(void)
{
	int fd = create("dst");

	must_move(pwrite(fd, way_buffer, SOME, 1), SOME, "pwrite");
	must_move(pwrite(fd, way_buffer, SOME, 9 << 20), SOME, "pwrite");
}

void by_writev(void)
{
	must_move(writev(create("dst"), two_parts, 2), SOME, "writev");
}

void by_pwritev(void)
{
	must_move(pwritev(create("dst"), two_parts, 2, 7), SOME, "pwritev");
}

void by_pwritev2(void)
{
	must_move(pwritev2(create("dst"), two_parts, 2, -1, 0), SOME, "pwritev2");
}

void by_own_direct(void)
{
	unsigned char *aligned = (unsigned char *)(((size_t)way_buffer + 4095) & ~4095UL);
	int in = open("src", O_RDONLY | O_DIRECT);
	int out = open("dst", O_WRONLY | O_CREAT | O_DIRECT, 0644);

	must_move(read(in, aligned, SOME / 4096 * 4096), SOME / 4096 * 4096, "read");
	must_move(write(out, aligned, SOME / 4096 * 4096), SOME / 4096 * 4096, "write");
}

static void wait_for(struct aiocb *request, ssize_t n)
{
	const struct aiocb *list[] = {request};

	while (aio_error(request) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	must_move(aio_return(request), n, "aio_return");
}

static struct aiocb request_of(int fd, int opcode, off_t at, size_t n)
{
	return (struct aiocb){.aio_fildes = fd,
			      .aio_buf = way_buffer,
			      .aio_nbytes = n,
			      .aio_offset = at,
			      .aio_lio_opcode = opcode};
}

void by_aio_reads(void)
{
	struct aiocb in = request_of(open_src(), LIO_READ, 10, SOME);
	struct aiocb out = request_of(create("dst"), LIO_WRITE, 10, SOME);

	must(aio_read(&in) == 0, "aio_read");
	wait_for(&in, SOME);
	must(aio_write(&out) == 0, "aio_write");
	wait_for(&out, SOME);
}

void by_aio_past_the_end(void)
{
	int fd = open_src();
	struct aiocb last = request_of(fd, LIO_READ, SIZE - 1000, SOME);
	struct aiocb beyond = request_of(fd, LIO_READ, SIZE + 1000, SOME);

	must(aio_read(&last) == 0 && aio_read(&beyond) == 0, "aio_read");
	wait_for(&last, 1000);
	wait_for(&beyond, 0);
}

void by_listio(void)
{
	struct aiocb in = request_of(open_src(), LIO_READ, 0, SOME);
	struct aiocb out = request_of(create("dst"), LIO_WRITE, 0, SOME);
	struct aiocb *both[] = {&in, &out};

	must(lio_listio(LIO_WAIT, both, 2, NULL) == 0, "lio_listio");
	wait_for(&in, SOME);
	wait_for(&out, SOME);
}

void by_by_syscall(void)
{
	int in = open_src(), out = create("dst");

	must_move(syscall(SYS_read, in, way_buffer, SOME), SOME, "read");
	must_move(syscall(SYS_pread64, in, way_buffer, SOME, 5L), SOME, "pread64");
	must_move(syscall(SYS_preadv, in, two_parts, 2L, 5L, 0L), SOME, "preadv");
	must_move(syscall(SYS_preadv2, in, two_parts, 2L, 5L, 0L, 0L), SOME, "preadv2");
	must_move(syscall(SYS_write, out, way_buffer, SOME), SOME, "write");
	must_move(syscall(SYS_pwrite64, out, way_buffer, SOME, 5L), SOME, "pwrite64");
	must_move(syscall(SYS_pwritev, out, two_parts, 2L, 5L, 0L), SOME, "pwritev");
	must_move(syscall(SYS_pwritev2, out, two_parts, 2L, 5L, 0L, 0L), SOME, "pwritev2");
}

void by_mapped_read(void)
{
	int fd = open_src();
	unsigned char *p = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);

	must(p != MAP_FAILED, "mmap");
	memcpy(way_buffer, p, SIZE);
}

void by_mapped_write(void)
{
	int fd = create("dst");
	unsigned char *p;

	must(ftruncate(fd, SIZE) == 0, "ftruncate");
	p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(p != MAP_FAILED, "mmap");
	memset(p, 'x', SIZE);
}

#ifdef __x86_64__
static long instruction(long number, long fd, long n)
{
	long done;

	__asm__ volatile("syscall"
			 : "=a"(done)
			 : "a"(number), "D"(fd), "S"(way_buffer), "d"(n)
			 : "rcx", "r11", "memory");
	return done;
}
#else
static long instruction(long number, long fd, long n)
{
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = fd;
	register long x1 __asm__("x1") = (long)way_buffer, x2 __asm__("x2") = n;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}
#endif

void by_own_instruction(void)
{
	must_move(instruction(SYS_read, open_src(), SOME), SOME, "read");
	must_move(instruction(SYS_write, create("dst"), SOME), SOME, "write");
}

void by_copy_file_range(void)
{
	off64_t from = 4096, to = 8192;
	int in = open_src(), out = create("dst");

	must_move(copy_file_range(in, &from, out, &to, SOME_BLOCKS, 0), SOME_BLOCKS,
		  "copy_file_range");
}

void by_copy_large(void)
{
	int in = open_src(), out = create("dst");

	while (copy_file_range(in, NULL, out, NULL, 1 << 30, 0) > 0)
		;
}

void by_sendfile_to_file(void)
{
	int in = open_src(), out = create("dst");

	must_move(sendfile(out, in, NULL, SOME), SOME, "sendfile");
}

void by_sendfile_to_pipe(void)
{
	int ends[2];

	must(pipe(ends) == 0, "pipe");
	must_move(sendfile(ends[1], open_src(), NULL, 50000), 50000, "sendfile");
}

void by_splice(void)
{
	int ends[2], in = open_src(), out = create("dst");

	must(pipe(ends) == 0, "pipe");
	must_move(splice(in, NULL, ends[1], NULL, 50000, 0), 50000, "splice");
	for (ssize_t left = 50000, n; left; left -= n) {
		n = splice(ends[0], NULL, out, NULL, (size_t)left, 0);
		must(n > 0, "splice");
	}
}
