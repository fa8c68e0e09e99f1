/* fault_write.c - a large write from a buffer that is partly unmapped: count, errno, size, bytes.
 */
#include "../progs/prog.h"

#include <sys/mman.h>

enum { LEN = 8 << 20 };

static void write_from(size_t good, size_t skew)
{
	unsigned char *p =
		mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = create("dst");

	must(p != MAP_FAILED && munmap(p + good, LEN - good) == 0, "mmap");
	write_some(fd, 0, 3 << 20);
	if (good > skew)
		pattern_fill(p + skew, good - skew, 3 << 20);
	errno = 0;
	ssize_t n = write(fd, p + skew, LEN - skew);

	printf("%zu %zu: %zd %d %ld %ld\n", good, skew, n, errno, (long)lseek(fd, 0, SEEK_CUR),
	       (long)lseek(fd, 0, SEEK_END));
	must_close(fd);
	must_hold("dst", (3 << 20) + (n > 0 ? n : 0));
	must(munmap(p, good ? good : 1) == 0, "munmap");
}

int main(void)
{
	write_from(4 << 20, 0);
	write_from(4 << 20, 1000);
	write_from(4096, 0);
	write_from(4096, 4095);
	write_from(0, 0);
	return 0;
}
