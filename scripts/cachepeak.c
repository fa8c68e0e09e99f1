/*
 * cachepeak.c - how much page cache a copy takes: samples two files while a command runs.
 *
 *   cachepeak drop FILE                 take FILE out of the page cache
 *   cachepeak run SOURCE COPY COMMAND   run COMMAND, sync COPY, print one line of figures:
 *       seconds to return, seconds to durable, most cached of SOURCE, of COPY and of both
 *       together, cached of SOURCE and of COPY at the end (bytes, -1 where not known)
 *
 * Each sample opens the files anew, so that nothing here keeps one busy for the command.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CACHESTAT = 451, SAMPLE_NS = 2000000 };

/* cachestat(2), Linux 6.5; a length of 0 means to the end. */
static int64_t by_cachestat(int fd)
{
	struct {
		uint64_t offset, length;
	} range = {0, 0};
	struct {
		uint64_t cache, dirty, writeback, evicted, recently_evicted;
	} stat;
	if (syscall(CACHESTAT, fd, &range, &stat, 0) != 0)
		return -1;
	return (int64_t)stat.cache * sysconf(_SC_PAGESIZE);
}

static int64_t by_mincore(int fd, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page;
	int64_t cached = -1;
	if (size == 0)
		return 0;
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	unsigned char *in = malloc(pages);
	if (map != MAP_FAILED && in && mincore(map, size, in) == 0) {
		cached = 0;
		for (size_t i = 0; i < pages; i++)
			cached += in[i] & 1 ? (int64_t)page : 0;
	}
	free(in);
	if (map != MAP_FAILED)
		munmap(map, size);
	return cached;
}

/* Bytes of the file in the page cache; 0 where there is no such file yet. */
static int64_t cached(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	int64_t bytes = by_cachestat(fd);
	if (bytes < 0 && errno == ENOSYS && fstat(fd, &st) == 0)
		bytes = by_mincore(fd, (size_t)st.st_size);
	close(fd);
	return bytes;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int fail(const char *what)
{
	fprintf(stderr, "cachepeak: %s: %s\n", what, strerror(errno));
	return 1;
}

static int sync_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int bad = fd < 0 || fsync(fd) != 0;
	if (fd >= 0)
		close(fd);
	return bad;
}

static int drop(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
		return fail(path);
	close(fd);
	if (cached(path) > 0)
		fprintf(stderr, "cachepeak: %s: %lld bytes stay cached\n", path,
			(long long)cached(path));
	return 0;
}

/* Samples until the child has ended; returns its wait status. */
static int watch(pid_t child, const char *source, const char *copy, int64_t most[3])
{
	int status;
	while (waitpid(child, &status, WNOHANG) == 0) {
		int64_t both[3] = {cached(source), cached(copy), 0};
		both[2] = both[0] < 0 || both[1] < 0 ? -1 : both[0] + both[1];
		for (int i = 0; i < 3; i++)
			most[i] = both[i] > most[i] ? both[i] : most[i];
		nanosleep(&(struct timespec){0, SAMPLE_NS}, NULL);
	}
	return status;
}

static int run(const char *source, const char *copy, char **command)
{
	int64_t most[3] = {-1, -1, -1};
	double start = now();
	pid_t child = fork();
	if (child < 0)
		return fail("fork");
	if (child == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	int status = watch(child, source, copy, most);
	double returned = now() - start;
	pid_t syncer = fork();
	if (syncer == 0)
		_exit(sync_file(copy));
	int synced = syncer < 0 ? -1 : watch(syncer, source, copy, most);
	double durable = now() - start;
	if (status != 0 || synced != 0) {
		fprintf(stderr, "cachepeak: %s failed\n", status ? command[0] : "fsync");
		return 1;
	}
	printf("%.3f %.3f %lld %lld %lld %lld %lld\n", returned, durable, (long long)most[0],
	       (long long)most[1], (long long)most[2], (long long)cached(source),
	       (long long)cached(copy));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "drop") == 0)
		return drop(argv[2]);
	if (argc > 4 && strcmp(argv[1], "run") == 0)
		return run(argv[2], argv[3], argv + 4);
	fputs("usage: cachepeak drop FILE | run SOURCE COPY COMMAND...\n", stderr);
	return 2;
}
