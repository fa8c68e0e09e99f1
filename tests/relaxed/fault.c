/*
 * fault.c - buffers that are not there, or end in the middle, while tiny requests are gathered and
 * served: what the kernel says, and nothing else.
 */
#include "relaxed.h"

#include <sys/mman.h>

static unsigned char *volatile edge; /* the end of what can be touched */
static void *volatile nowhere = (void *)8;

static void open_hole(int protection)
{
	edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(edge != MAP_FAILED, "mmap");
	edge += 4096;
	must(protection < 0 ? munmap(edge, 4096) == 0 : mprotect(edge, 4096, protection) == 0,
	     "hole");
}

static void writes(int fd, long long *at)
{
	write_tiny(fd, *at, *at + 10000, 100);
	*at += 10000;
	must_fail(write(fd, nowhere, 100), EFAULT, "write from nowhere");
	must_fail(write(fd, edge, 100), EFAULT, "write from the hole");
	write_tiny(fd, *at, *at + 10000, 100);
	*at += 10000;
	pattern_fill(edge - 100, 100, *at);
	must(write(fd, edge - 100, 100) == 100, "write up to the hole");
	*at += 100;
	must(lseek(fd, 0, SEEK_CUR) == *at, "the offset");
}

static void reads(int fd, long long at)
{
	read_tiny(fd, at, at + 10000, 100);
	must_fail(read(fd, nowhere, 100), EFAULT, "read to nowhere");
	must_fail(read(fd, edge, 100), EFAULT, "read to the hole");
	read_tiny(fd, at + 10000, at + 20000, 100);
	must(read(fd, edge - 100, 100) == 100, "read up to the hole");
	must_match(edge - 100, 100, at + 20000);
	must(lseek(fd, 0, SEEK_CUR) == at + 20100, "the offset");
}

/* Memory that was there for the last request, and is not for the next. */
static void goes(int fd, int src)
{
	unsigned char *p =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 100; i++)
		must(read(src, p, 100) == 100, "read");
	must(mprotect(p, 4096, PROT_READ) == 0, "mprotect");
	must_fail(read(src, p, 100), EFAULT, "read to read-only memory");
	for (int i = 0; i < 100; i++)
		must(write(fd, p, 100) == 100, "write");
	must(munmap(p, 4096) == 0, "munmap");
	must_fail(write(fd, p, 100), EFAULT, "write from what was unmapped");
	must_fail(read(src, p, 100), EFAULT, "read to what was unmapped");
}

int main(void)
{
	int fd = open("dst", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE), src = open_src();
	long long at = 0;

	for (int protection = -1; protection < 1; protection++) {
		open_hole(protection);
		writes(fd, &at);
		reads(src, protection < 0 ? 0 : 20100);
	}
	must_be_there(fd, at);
	goes(fd, src);
	return 0;
}
