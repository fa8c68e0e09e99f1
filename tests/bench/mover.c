/* mover.c - the work of a row in one process, by plain libc calls, so that the shim sees them.
 *   mover read FILE BLOCK           reads it to its end; the first and last word of each read
 *                                   must be the pattern's (pattern.h)
 *   mover write FILE SIZE BLOCK     writes a new file, then fsync; each block is stamped
 *   mover random FILE COUNT BLOCK   reads COUNT blocks at places of a fixed order
 *   mover check FILE SIZE [BLOCK]   fails unless FILE is SIZE bytes of the pattern, or of blocks
 *                                   stamped by write; past the page cache, where that can be had
 */
#include "bench.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHECK_STEP = 4 << 20 };

static int must_open(const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	if (fd < 0)
		die("open");
	return fd;
}

static unsigned char *must_alloc(size_t size)
{
	unsigned char *p = malloc(size);

	if (!p)
		die("memory");
	memset(p, 1, size);
	return p;
}

static int read_all(const char *path, int64_t block)
{
	unsigned char *buffer = must_alloc(block);
	struct work w;
	ssize_t n;

	work_start(&w);
	int fd = must_open(path, O_RDONLY);

	for (; (n = read(fd, buffer, block)) > 0; w.bytes += n)
		check_ends(buffer, n, w.bytes);
	if (n < 0)
		die("read");
	close(fd);
	work_done(&w);
	work_print(&w);
	return 0;
}

static int write_new(const char *path, int64_t size, int64_t block)
{
	unsigned char *buffer = must_alloc(block);
	struct work w;

	pattern_fill(buffer, block, 0);
	work_start(&w);
	int fd = must_open(path, O_WRONLY | O_CREAT | O_TRUNC);

	for (; w.bytes < size; w.bytes += block) {
		stamp(buffer, w.bytes);
		if (write(fd, buffer, block) != block)
			die("write");
	}
	work_done(&w);
	if (fsync(fd) || close(fd))
		die("fsync");
	work_print(&w);
	return 0;
}

static int read_random(const char *path, int64_t count, int64_t block)
{
	unsigned char *buffer = must_alloc(block);
	uint64_t place = 1;
	struct work w;
	struct stat st;

	work_start(&w);
	int fd = must_open(path, O_RDONLY);

	if (fstat(fd, &st))
		die("fstat");
	for (int64_t i = 0; i < count; i++, w.bytes += block) {
		place = place * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		int64_t at = (place >> 16) % (st.st_size / block) * block;

		if (pread(fd, buffer, block, at) != block)
			die("pread");
		check_ends(buffer, block, at);
	}
	close(fd);
	work_done(&w);
	work_print(&w);
	return 0;
}

/* Word by word; block: the size of stamped blocks, or that of the file. */
static void check_words(const unsigned char *p, int64_t n, int64_t at, int64_t block)
{
	for (int64_t i = 0; i + 8 <= n; i += 8) {
		int64_t within = (at + i) % block;
		uint64_t word;

		memcpy(&word, p + i, 8);
		if (word != pattern_word(within ? within : at + i))
			wrong(at + i);
	}
	for (int64_t i = n / 8 * 8; i < n; i++)
		if (p[i] != pattern_byte((at + i) % block))
			wrong(at + i);
}

static int check(const char *path, int64_t size, int64_t block)
{
	unsigned char *buffer = huge_buffer(CHECK_STEP);
	int64_t at = 0;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_DIRECT);

	if (fd < 0)
		fd = must_open(path, O_RDONLY);
	for (; (n = pread(fd, buffer, CHECK_STEP, at)) > 0; at += n)
		check_words(buffer, n, at, block);
	if (n < 0)
		die("read");
	if (at != size) {
		fprintf(stderr, "WRONG size %" PRId64 ", not %" PRId64 "\n", at, size);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 3 ? argv[1] : "";
	int64_t first = argc > 3 ? atoll(argv[3]) : 0, second = argc > 4 ? atoll(argv[4]) : 0;

	if (strcmp(verb, "read") == 0 && first > 0)
		return read_all(argv[2], first);
	if (strcmp(verb, "write") == 0 && second >= 8)
		return write_new(argv[2], first, second);
	if (strcmp(verb, "random") == 0 && second > 0)
		return read_random(argv[2], first, second);
	if (strcmp(verb, "check") == 0)
		return check(argv[2], first, second ? second : INT64_MAX);
	fprintf(stderr, "usage: mover read|write|random|check FILE NUMBER... (see the source)\n");
	return 2;
}
