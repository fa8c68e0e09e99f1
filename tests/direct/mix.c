/* mix.c - two processes change one file, each its own stripes: one by large writes and a mapping,
 * one by O_DIRECT and large writes. Stripes share pages at their edges. No byte is lost. */
#include "../progs/prog.h"

#include <sys/mman.h>

enum { STRIPE = (1 << 20) + 1000, STRIPES = 14, ROUNDS = 3, PAGE = 4096, ENDS = 16 };

static unsigned char buffer[STRIPE], *aligned;

static void put(int fd, uint64_t at, size_t len)
{
	pattern_fill(buffer, len, at);
	must(pwrite(fd, buffer, len, at) == (ssize_t)len, "pwrite");
}

static void get(int fd, uint64_t at, size_t len)
{
	must(pread(fd, buffer, len, at) == (ssize_t)len, "pread");
	must_match(buffer, len, at);
}

/* First wrong bytes, then the right ones by the sequential calls, as a copying program would. */
static void spoil_and_stream(int fd, uint64_t at)
{
	memset(buffer, 0x55, STRIPE);
	must(pwrite(fd, buffer, STRIPE, at) == STRIPE, "pwrite");
	must(lseek(fd, at, SEEK_SET) == (off_t)at, "lseek");
	write_some(fd, at, STRIPE);
}

static void rewrite(int fd, uint64_t at)
{
	memset(buffer, 0x55, BLOCK);
	must(lseek(fd, at, SEEK_SET) == (off_t)at, "lseek");
	must(write(fd, buffer, BLOCK) == BLOCK, "write");
	must(lseek(fd, at, SEEK_SET) == (off_t)at, "lseek");
	write_some(fd, at, BLOCK);
	get(fd, at, BLOCK);
}

/* The ends of a stripe, in such an order that the neighbour is at the same page. */
static void by_ends(int fd, uint64_t at, int which)
{
	uint64_t tail = at + STRIPE - BLOCK;

	for (int i = 0; i < ENDS; i++) {
		rewrite(fd, which ? at : tail);
		rewrite(fd, which ? tail : at);
	}
}

static void by_mapping(int fd, uint64_t at)
{
	uint64_t start = at / PAGE * PAGE;
	unsigned char *p = mmap(NULL, STRIPE + PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, start);

	must(p != MAP_FAILED, "mmap");
	memset(p + (at - start), 0xAA, 5000);
	pattern_fill(p + (at - start), 5000, at);
	memset(p + (at - start) + STRIPE - 5000, 0xAA, 5000);
	pattern_fill(p + (at - start) + STRIPE - 5000, 5000, at + STRIPE - 5000);
	must(munmap(p, STRIPE + PAGE) == 0, "munmap");
}

/* The whole pages of a stripe. */
static void by_own_direct(int direct, uint64_t at)
{
	uint64_t start = (at + PAGE - 1) / PAGE * PAGE, len = 512 << 10;

	pattern_fill(aligned, len, start);
	must(pwrite(direct, aligned, len, start) == (ssize_t)len, "direct pwrite");
}

static void work(int which)
{
	int fd = open("dst", O_RDWR), direct = open("dst", O_RDWR | O_DIRECT);

	must(fd >= 0, "open");
	must(posix_memalign((void **)&aligned, PAGE, 1 << 20) == 0, "memory");
	for (int i = 0; i < ROUNDS * STRIPES; i++) {
		uint64_t at = (uint64_t)(i % STRIPES) * STRIPE;

		if (i % 2 != which)
			continue;
		spoil_and_stream(fd, at);
		by_ends(fd, at, which);
		if (which == 0)
			by_mapping(fd, at);
		else if (direct >= 0)
			by_own_direct(direct, at);
		get(fd, at, STRIPE);
		put(fd, at + 300, 100000);
		get(fd, at, STRIPE);
	}
	_exit(0);
}

int main(void)
{
	int fd = create("dst");
	pid_t pid[2];

	must(ftruncate(fd, (off_t)STRIPE * (STRIPES + 1)) == 0, "ftruncate");
	for (int i = 0; i < 2; i++)
		if ((pid[i] = fork()) == 0)
			work(i);
	must_reap(pid[0]);
	must_reap(pid[1]);
	must(ftruncate(fd, (off_t)STRIPE * STRIPES) == 0, "ftruncate");
	must_close(fd);
	must_hold("dst", (size_t)STRIPE * STRIPES);
	return 0;
}
