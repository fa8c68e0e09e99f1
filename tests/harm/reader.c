/* reader.c - reads a file of the pattern in order, and checks it:
 *
 *   reader FILE BLOCK [AT...]   says a line on standard output and waits for one on standard input
 *                               when it comes to each offset AT (in MiB), and after the last byte
 *
 * At last it prints `read N device N`: bytes that it read, and what of them came from a device, by
 * read_bytes of proc(5); those of blocks that it read twice or that were read for nothing included.
 */
#include "pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(const char *what, long long at)
{
	fprintf(stderr, "reader: %s at %lld: %s\n", what, at, strerror(errno));
	exit(1);
}

static void meet(long long at)
{
	char line;

	if (write(1, "here\n", 5) != 5 || read(0, &line, 1) != 1)
		fail("nobody came", at);
}

/* Of this process; with what the library reads in it. */
static long long from_device(void)
{
	char line[64];
	long long n = -1;
	FILE *io = fopen("/proc/self/io", "r");

	while (io && fgets(line, sizeof(line), io))
		sscanf(line, "read_bytes: %lld", &n);
	if (io)
		fclose(io);
	return n;
}

int main(int argc, char **argv)
{
	size_t block = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	unsigned char *buffer = malloc(block + 1);
	int fd = open(argc > 1 ? argv[1] : "", O_RDONLY), next = 3;
	long long at = 0, before = from_device();
	ssize_t n;

	if (fd < 0 || !block || !buffer)
		fail("usage, or open", 0);
	while ((n = read(fd, buffer, block)) > 0) {
		if (pattern_check(buffer, n, at) != (size_t)n)
			fail("wrong byte", at);
		at += n;
		for (; next < argc && at >= atoll(argv[next]) << 20; next++)
			meet(at);
	}
	if (n < 0)
		fail("read", at);
	if (argc > 3)
		meet(at);
	close(fd);
	printf("read %lld device %lld\n", at, from_device() - before);
	return 0;
}
