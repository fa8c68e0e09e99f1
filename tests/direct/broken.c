/* broken.c - a device that fails in the middle of a file: right bytes before it, then its error.
 *
 * broken FILE BAD BLOCK: reading at BAD and behind it fails. How much before it is lost with it
 * depends on the folio it is in. Prints the errno. */
#include "../progs/prog.h"

enum { FOLIO = 2 << 20 };

static unsigned char buffer[8 << 20];

int main(int argc, char **argv)
{
	must(argc > 3, "usage");

	int fd = open(argv[1], O_RDONLY);
	uint64_t bad = atoll(argv[2]), at = 0;
	size_t block = atoll(argv[3]);
	ssize_t n;

	must(fd >= 0 && block <= sizeof buffer, "open");
	while ((n = read(fd, buffer, block)) > 0) {
		must_match(buffer, n, at);
		at += n;
	}
	printf("%zd %d\n", n, errno);
	must(at <= bad && at + FOLIO + block >= bad, "not where the device fails");
	must(lseek(fd, 0, SEEK_CUR) == (off_t)at, "offset");
	must(pread(fd, buffer, 4096, 0) == 4096, "the start is lost too");
	must_match(buffer, 4096, 0);
	must_close(fd);
	return 0;
}
