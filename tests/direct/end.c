/* end.c - a read at the end of a file of an odd size leaves the rest of the buffer alone. */
#include "../progs/prog.h"

enum { ODD = (5 << 20) + 1234, LEN = 4 << 20, FILLER = 0xA5 };

static unsigned char buffer[LEN];

static void read_by(size_t block)
{
	int fd = open("dst", O_RDONLY);
	uint64_t at = 0;
	ssize_t n;

	must(fd >= 0, "open dst");
	do {
		memset(buffer, FILLER, block);
		n = read(fd, buffer, block);
		must(n == (ssize_t)(ODD - at < block ? ODD - at : block), "count");
		must_match(buffer, n, at);
		for (size_t i = n; i < block; i++)
			must(buffer[i] == FILLER, "written behind the count");
		at += n;
	} while (n > 0);
	must(lseek(fd, 0, SEEK_CUR) == ODD, "offset");
	must_close(fd);
}

int main(void)
{
	int fd = create("dst");

	write_some(fd, 0, ODD);
	must(fsync(fd) == 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0, "fsync");
	must_close(fd);
	for (size_t block = 4096; block <= LEN; block *= 4)
		read_by(block);
	read_by(100000);
	return 0;
}
