/* give.c - writes to an inherited stdout exactly where the last program stopped.
 *
 * give FROM COUNT BLOCK [kill]: the offset must be FROM; writes COUNT bytes that belong there, by
 * BLOCK, and leaves the offset right behind them, or kills itself there. */
#include "../progs/prog.h"

static unsigned char buffer[8 << 20];

int main(int argc, char **argv)
{
	must(argc > 3, "usage");

	uint64_t at = atoll(argv[1]), left = atoll(argv[2]);
	size_t block = atoll(argv[3]);

	must(block <= sizeof buffer && lseek(1, 0, SEEK_CUR) == (off_t)at, "offset at the start");
	while (left) {
		size_t len = left < block ? left : block;

		pattern_fill(buffer, len, at);
		must(write(1, buffer, len) == (ssize_t)len, "write");
		at += len;
		left -= len;
	}
	if (argc > 4)
		raise(SIGKILL);
	must(lseek(1, 0, SEEK_CUR) == (off_t)at, "offset at the end");
	return 0;
}
