/* read2003.c - the benchmark program of 2003, written anew: a big file in 128-byte reads.
 *   read2003 FILE PASSES SIZE [direct|dsync]
 * The flag is the program's own. What that program did not: every return value is looked at, bytes
 * are counted and their place is checked. Prints `bytes=N ns=N durable=N cpu=N`, bytes and times
 * the average of a pass. */
#include "bench.h"

#include <fcntl.h>
#include <unistd.h>

enum { REQUEST = 128 };

static void pass(const char *path, int flags, int64_t size, struct work *w)
{
	unsigned char buffer[REQUEST] __attribute__((aligned(REQUEST)));
	int64_t at = 0;
	ssize_t n;
	int fd = open(path, O_RDONLY | flags);

	if (fd < 0)
		die("open");
	while ((n = read(fd, buffer, sizeof buffer)) > 0) {
		check_ends(buffer, n, at);
		at += n;
	}
	if (n < 0) {
		fprintf(stderr, "%s, %" PRId64 " bytes\n", strerrorname_np(errno), w->bytes + at);
		exit(1);
	}
	if (at != size)
		wrong(at);
	w->bytes += at;
	close(fd);
}

int main(int argc, char **argv)
{
	const char *flag = argc > 4 ? argv[4] : "";
	int flags = strcmp(flag, "direct") == 0  ? O_DIRECT
		    : strcmp(flag, "dsync") == 0 ? O_DSYNC
						 : 0;
	struct work w;

	if (argc < 4 || atoi(argv[2]) < 1) {
		fprintf(stderr, "usage: read2003 FILE PASSES SIZE [direct|dsync]\n");
		return 2;
	}
	int passes = atoi(argv[2]);

	work_start(&w);
	for (int i = 0; i < passes; i++)
		pass(argv[1], flags, atoll(argv[3]), &w);
	work_done(&w);
	printf("bytes=%" PRId64 " ns=%" PRId64 " durable=%" PRId64 " cpu=%" PRId64 "\n",
	       w.bytes / passes, w.ns / passes, w.ns / passes,
	       (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - w.cpu) / passes);
	return 0;
}
