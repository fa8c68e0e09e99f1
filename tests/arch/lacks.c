/*
 * lacks.c - says, in words of the oracle's --without, what system calls have not here that the
 * kernel has: qemu refuses a transfer as a whole whose memory ends in its middle, and does not pass
 * on how direct I/O must be aligned, so that the library leaves odd requests to the kernel.
 */
#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int has_edges(int fd, char *pages)
{
	munmap(pages + PAGE, PAGE);
	return pwrite(fd, pages, PAGE + 1, 0) == PAGE;
}

static int has_lenience(const char *name, char *page)
{
	struct statx st = {0};
	int fd = open(name, O_RDONLY | O_DIRECT);
	int odd = fd < 0 || pread(fd, page, 1, 0) == 1;

	close(fd);
	return odd || (statx(AT_FDCWD, name, 0, STATX_DIOALIGN, &st) == 0 && st.stx_dio_mem_align);
}

int main(void)
{
	static const char name[] = "lacks.data";
	char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(name, O_RDWR | O_CREAT, 0644);

	if (pages == MAP_FAILED || fd < 0)
		return 1;
	if (!has_edges(fd, pages))
		puts("edges");
	if (!has_lenience(name, pages))
		puts("lenience");
	unlink(name);
	return 0;
}
