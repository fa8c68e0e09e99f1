/* size_follows.c - fstat, lseek and another descriptor see each write when it returns. */
#include "prog.h"

int main(void)
{
	int fd = create("dst"), other = open("dst", O_RDONLY);
	struct stat st;

	for (uint64_t at = 0; at < SIZE / 4; at += 33333) {
		write_some(fd, at, 33333);
		must(fstat(other, &st) == 0 && st.st_size == (off_t)at + 33333, "size");
		must(lseek(fd, 0, SEEK_END) == (off_t)at + 33333, "end");
		read_some(other, at, 33333);
	}
	must_close(other);
	must_close(fd);
	return 0;
}
