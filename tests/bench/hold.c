/* hold.c - the neighbour: memory that somebody needs, until SIGTERM.
 *   hold anon BYTES            private memory of no two equal words, touched once
 *   hold file FILE EVERY-MS    a file read into the cache, twice, then again and again
 * Prints `ready` when it holds all of it; at the end `least=N`: of the file's bytes, the fewest
 * that were still cached when a pass began or the end came. */
#include "bench.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SYS_CACHESTAT = 451, CHUNK = 1 << 20 };

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

static int hold_memory(int64_t size)
{
	unsigned char *p = malloc(size);

	if (!p)
		die("memory");
	for (int64_t at = 0; at + 8 <= size; at += 8)
		stamp(p + at, at);
	ready();
	while (!ended)
		pause();
	return 0;
}

static int64_t cached(int fd)
{
	uint64_t range[2] = {0, 0}, seen[5];

	if (syscall(SYS_CACHESTAT, fd, range, seen, 0))
		die("cachestat");
	return seen[0] * sysconf(_SC_PAGESIZE);
}

static void read_through(int fd)
{
	static unsigned char buffer[CHUNK];

	for (int64_t at = 0, n; !ended && (n = pread(fd, buffer, CHUNK, at)) > 0; at += n)
		check_ends(buffer, n, at);
}

static int hold_file(const char *path, long every_ms)
{
	struct timespec pause = {every_ms / 1000, every_ms % 1000 * 1000000};
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		die(path);
	read_through(fd);
	read_through(fd);
	int64_t least = cached(fd);

	ready();
	while (!ended) {
		nanosleep(&pause, NULL);
		int64_t now = cached(fd);

		least = now < least ? now : least;
		read_through(fd);
	}
	printf("least=%" PRId64 "\n", least);
	return 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = end};

	sigaction(SIGTERM, &action, NULL);
	if (argc == 3 && strcmp(argv[1], "anon") == 0)
		return hold_memory(atoll(argv[2]));
	if (argc == 4 && strcmp(argv[1], "file") == 0)
		return hold_file(argv[2], atol(argv[3]));
	fprintf(stderr, "usage: hold anon BYTES | hold file FILE EVERY-MS\n");
	return 2;
}
