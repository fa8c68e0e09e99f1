/* range.c - the neighbour: what it has in the page cache of a part of a file, or brings there.
 *
 *   range cached FILE FROM TO   prints the bytes of [FROM, TO) that are cached
 *   range warm FILE FROM TO     reads them, page by page and nothing beyond; fails where some stay
 * out range drop FILE FROM TO     puts them out; what reaches over the edges may stay range hold
 * FILE FROM TO     maps and touches them, says `ready`, waits for a line on standard input, prints
 * how many bytes of them are in memory then range cut FILE SIZE         truncates or extends it
 *   range fill FILE FROM TO     writes the pattern there
 *
 * Offsets are bytes, or with K, M, G, T. The file may be a block device. */
#include "pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { SYS_CACHESTAT = 451, OVERLAYFS = 0x794c7630, PAGE = 4096 };

static void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "range: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long long bytes(const char *word)
{
	char *unit;
	long long n = strtoll(word, &unit, 10);

	for (const char *units = "KMGT"; *unit && *units; units++) {
		n <<= 10;
		if (*units == *unit)
			return n;
	}
	return n;
}

static void *mapped(int fd, off_t from, off_t to)
{
	void *map = mmap(NULL, to - from, PROT_READ, MAP_SHARED, fd, from);

	must(map != MAP_FAILED, "mmap");
	return map;
}

static long long resident(void *map, size_t n)
{
	size_t pages = (n + PAGE - 1) / PAGE;
	unsigned char *seen = malloc(pages + 1);
	long long sum = 0;

	must(seen && mincore(map, n, seen) == 0, "mincore");
	for (size_t i = 0; i < pages; i++)
		sum += (seen[i] & 1) * PAGE;
	free(seen);
	return sum;
}

static long long cached(int fd, off_t from, off_t to)
{
	struct {
		uint64_t off, len;
	} range = {from, to - from};
	struct {
		uint64_t cache, dirty, writeback, evicted, recently_evicted;
	} seen = {0};
	struct statfs fs;
	void *map;
	long long n;

	if (from >= to)
		return 0;
	must(fstatfs(fd, &fs) == 0, "fstatfs");
	if (fs.f_type != OVERLAYFS && syscall(SYS_CACHESTAT, fd, &range, &seen, 0) == 0)
		return seen.cache * PAGE;
	map = mapped(fd, from, to);
	n = resident(map, to - from);
	munmap(map, to - from);
	return n;
}

static int warm(int fd, off_t from, off_t to)
{
	char byte;

	must(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM) == 0, "posix_fadvise");
	for (int tries = 0; tries < 3 && cached(fd, from, to) < to - from; tries++)
		for (off_t at = from; at < to; at += PAGE)
			must(pread(fd, &byte, 1, at) == 1, "pread");
	return cached(fd, from, to) < to - from;
}

static int hold(int fd, off_t from, off_t to)
{
	volatile const char *map = mapped(fd, from, to);
	char line;

	for (off_t at = 0; at < to - from; at += PAGE)
		(void)map[at];
	printf("ready\n");
	fflush(stdout);
	must(read(0, &line, 1) >= 0, "read");
	printf("%lld\n", resident((void *)map, to - from));
	return 0;
}

static int drop(int fd, off_t from, off_t to)
{
	must(fsync(fd) == 0, "fsync");
	must(posix_fadvise(fd, from, to - from, POSIX_FADV_DONTNEED) == 0, "posix_fadvise");
	return 0;
}

static int fill(int fd, off_t from, off_t to)
{
	static unsigned char buffer[64 << 10];

	for (off_t at = from; at < to; at += sizeof(buffer)) {
		size_t n = (size_t)(to - at) < sizeof(buffer) ? (size_t)(to - at) : sizeof(buffer);

		pattern_fill(buffer, n, at);
		must(pwrite(fd, buffer, n, at) == (ssize_t)n, "pwrite");
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 3 ? argv[1] : "";
	int writes = !strcmp(verb, "cut") || !strcmp(verb, "fill");
	int fd = open(argc > 2 ? argv[2] : "", writes ? O_RDWR : O_RDONLY);

	must(fd >= 0, argc > 2 ? argv[2] : "no FILE");
	if (!strcmp(verb, "cut"))
		must(ftruncate(fd, bytes(argv[3])) == 0, "ftruncate");
	else if (argc < 5)
		return 2;
	else if (!strcmp(verb, "cached"))
		printf("%lld\n", cached(fd, bytes(argv[3]), bytes(argv[4])));
	else if (!strcmp(verb, "warm"))
		return warm(fd, bytes(argv[3]), bytes(argv[4]));
	else if (!strcmp(verb, "drop"))
		return drop(fd, bytes(argv[3]), bytes(argv[4]));
	else if (!strcmp(verb, "hold"))
		return hold(fd, bytes(argv[3]), bytes(argv[4]));
	else if (!strcmp(verb, "fill"))
		return fill(fd, bytes(argv[3]), bytes(argv[4]));
	else
		return 2;
	return 0;
}
