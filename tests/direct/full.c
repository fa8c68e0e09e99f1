/* full.c - on a full file system: ENOSPC in the end, and what was said to be written is there.
 *
 * full FILE BLOCK: prints the errno. */
#include "../progs/prog.h"

static unsigned char buffer[8 << 20];

int main(int argc, char **argv)
{
	must(argc > 2, "usage");

	int fd = create(argv[1]);
	size_t block = atoll(argv[2]), at = 0;
	ssize_t n;

	must(block <= sizeof buffer, "usage");
	do {
		pattern_fill(buffer, block, at);
		n = write(fd, buffer, block);
		at += n > 0 ? n : 0;
	} while (n > 0);
	printf("%zd %d\n", n, errno);
	must(at > 16 << 20, "full at once");
	must(lseek(fd, 0, SEEK_CUR) == (off_t)at && lseek(fd, 0, SEEK_END) == (off_t)at, "size");
	must_close(fd);
	must_hold(argv[1], at);
	return 0;
}
