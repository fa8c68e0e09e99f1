/*
 * exact.c - what keeps a file from being relaxed, one by one: then each request is with the kernel
 * when it returns. exact CASE; `held` must hold bytes back where they are relaxed.
 */
#include "relaxed.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

static int fd;

static int opened(int flags)
{
	return open("dst", O_RDWR | O_CREAT | flags, ANY_MODE);
}

static void *write_some_more(void *unused)
{
	write_tiny(fd, 0, 10 * TINY, TINY);
	return unused;
}

static void in_thread(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, write_some_more, NULL) == 0, "thread");
	pthread_join(thread, NULL);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	write_tiny(fd, 0, 10 * TINY, TINY);
	must(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0, "ftruncate");
}

static void mapping_left(void)
{
	int first = opened(0);

	must(ftruncate(first, 4096) == 0, "ftruncate");
	must(mmap(NULL, 4096, PROT_READ, MAP_SHARED, first, 0) != MAP_FAILED, "mmap");
	must(ftruncate(first, 0) == 0 && close(first) == 0, "close");
	fd = opened(0);
}

static void prepare(const char *name)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct rlimit limit = {1 << 30, RLIM_INFINITY};

	if (!strcmp(name, "append"))
		fd = opened(O_APPEND);
	else if (!strcmp(name, "dsync"))
		fd = opened(O_DSYNC);
	else if (!strcmp(name, "inherited"))
		fd = raw_open("dst", O_RDWR | O_CREAT, ANY_MODE);
	else if (!strcmp(name, "mapping-left"))
		mapping_left();
	else
		fd = opened(0);
	must(fd >= 0, "open");
	if (!strcmp(name, "locked"))
		must(fcntl(fd, F_SETLK, &lock) == 0, "F_SETLK");
	if (!strcmp(name, "mapped"))
		must(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED, "mmap");
	if (!strcmp(name, "twice"))
		must(opened(0) >= 0, "open");
	if (!strcmp(name, "twice-before")) {
		int first = raw_open("dst", O_RDWR, 0);

		must(first >= 0 && close(fd) == 0 && (fd = opened(0)) >= 0, "open");
	}
	if (!strcmp(name, "stdio"))
		must(fdopen(fd, "r+") != NULL, "fdopen");
	if (!strcmp(name, "limit"))
		must(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
	if (!strcmp(name, "thread"))
		in_thread();
	if (!strcmp(name, "forked") && fork() == 0)
		_exit(0);
	if (!strcmp(name, "setfl"))
		must(fcntl(fd, F_SETFL, O_APPEND) == 0, "F_SETFL");
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "held";

	prepare(name);
	for (long long at = 0; at < 100 * TINY; at += TINY) {
		write_tiny(fd, at, at + TINY, TINY);
		if (strcmp(name, "held"))
			must(raw_size(fd) == at + TINY && raw_offset(fd) == at + TINY, "held back");
	}
	if (!strcmp(name, "held") && is_relaxed())
		must(raw_size(fd) < 100 * TINY, "nothing is held back");
	return 0;
}
