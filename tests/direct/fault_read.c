/* fault_read.c - a large read into a buffer that is partly unmapped: count, errno, bytes, offset.
 */
#include "../progs/prog.h"

#include <sys/mman.h>

enum { LEN = 8 << 20 };

/* Reads LEN bytes at the offset into a buffer that ends after `good` bytes of its `skew`. */
static void read_into(int fd, size_t good, size_t skew)
{
	unsigned char *p =
		mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(p != MAP_FAILED && munmap(p + good, LEN - good) == 0, "mmap");
	for (off_t start = 0; start < 3 << 20; start += (1 << 20) + 1000) {
		must(lseek(fd, start, SEEK_SET) == start, "lseek");
		errno = 0;
		ssize_t n = read(fd, p + skew, LEN - skew);

		printf("%zu %zu %ld: %zd %d %ld\n", good, skew, (long)start, n, errno,
		       (long)lseek(fd, 0, SEEK_CUR));
		if (n > 0)
			must_match(p + skew, n, start);
	}
	must(munmap(p, good ? good : 1) == 0, "munmap");
}

int main(void)
{
	int fd = open_src();

	read_some(fd, 0, 2 << 20);
	read_into(fd, 4 << 20, 0);
	read_into(fd, 4 << 20, 1000);
	read_into(fd, 4096, 0);
	read_into(fd, 4096, 4095);
	read_into(fd, 0, 0);
	must_close(fd);
	return 0;
}
