/* sparse_huge.c - one byte of a sparse file of 1 TiB costs no memory or time by the file's size: a
 * bit for each page would be 32 MiB, the blocks in flight of policy direct are 8. */
#include "prog.h"

#include <sys/resource.h>

static long cpu_ms(const struct rusage *u)
{
	return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000 +
	       (u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1000;
}

int main(void)
{
	struct rusage before, after;
	int fd = create("sparse");
	char c = 1;

	if (ftruncate(fd, 1LL << 40))
		cannot("no files of 1 TiB here");
	must_close(fd);
	must(getrusage(RUSAGE_SELF, &before) == 0, "getrusage");
	for (int i = 0; i < 20; i++) {
		fd = open("sparse", O_RDONLY);
		must(read(fd, &c, 1) == 1 && c == 0, "read");
		must_close(fd);
	}
	must(getrusage(RUSAGE_SELF, &after) == 0, "getrusage");
	must(after.ru_maxrss - before.ru_maxrss < 12288, "memory by the file's size");
	must(cpu_ms(&after) - cpu_ms(&before) < 400, "CPU time by the file's size");
	return 0;
}
