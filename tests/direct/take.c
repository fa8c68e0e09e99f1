/* take.c - takes bytes from an inherited stdin exactly where the last program stopped.
 *
 * take FROM COUNT BLOCK [kill]: the offset must be FROM; reads COUNT bytes, which must be those of
 * src, by BLOCK, and leaves the offset right behind them, or kills itself there. COUNT 0: to the
 * end. */
#include "../progs/prog.h"

static unsigned char buffer[8 << 20];

int main(int argc, char **argv)
{
	must(argc > 3, "usage");

	uint64_t at = atoll(argv[1]), left = atoll(argv[2]), whole = left ? left : UINT64_MAX;
	size_t block = atoll(argv[3]);
	ssize_t n = 1;

	must(block <= sizeof buffer && lseek(0, 0, SEEK_CUR) == (off_t)at, "offset at the start");
	for (left = whole; left && n; left -= n, at += n) {
		n = read(0, buffer, left < block ? left : block);
		must(n >= 0, "read");
		must_match(buffer, n, at);
	}
	must(n || !atoll(argv[2]), "the end came early");
	if (argc > 4)
		raise(SIGKILL);
	must(lseek(0, 0, SEEK_CUR) == (off_t)at, "offset at the end");
	return 0;
}
