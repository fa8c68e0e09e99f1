/* files.c - many small files, as a program makes them:
 *
 *   files write DIR N      writes N files of 16 KiB of the pattern; between them and after the last
 *                          the process must have no descriptor and no mapping of them
 *   files delete DIR N     the same, and unlinks each: the space must be free at once, as far as it
 *                          is in the bare run (prints the bytes that are missing)
 *   files run DIR N PROGRAM THREADS   copies PROGRAM N times in each thread and runs each copy
 * right after its close; that must not fail (ETXTBSY) files touch FILE SIZE  makes a sparse file of
 * SIZE bytes, reads and writes at its start, middle and end, maps a page; prints the most memory it
 * had, KiB (VmHWM) */
#include "pattern.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 16 << 10, NAME = 4200 };

static const char *dir;
static int count;

static void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "files: %s: %s\n", what, strerror(errno));
	_exit(1);
}

/* No link of /proc/self/fd or map_files leads into `dir`. */
static void holds_nothing(const char *where)
{
	char link[NAME], target[NAME];
	struct dirent *entry;
	DIR *list = opendir(where);
	ssize_t n;

	must(list != NULL, where);
	while ((entry = readdir(list))) {
		snprintf(link, sizeof(link), "%s/%s", where, entry->d_name);
		n = readlink(link, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		errno = EBUSY;
		must(strncmp(target, dir, strlen(dir)) != 0, target);
	}
	closedir(list);
}

static void holds_nothing_at_all(void)
{
	holds_nothing("/proc/self/fd");
	holds_nothing("/proc/self/map_files");
}

static void write_file(const char *name, int mode, const void *bytes, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	must(fd >= 0, name);
	must(write(fd, bytes, n) == (ssize_t)n, "write");
	must(close(fd) == 0, "close");
}

static void write_small(int i, char *name)
{
	static unsigned char bytes[SMALL];

	pattern_fill(bytes, sizeof(bytes), 0);
	snprintf(name, NAME, "%s/f%d", dir, i);
	write_file(name, 0644, bytes, sizeof(bytes));
}

static int write_all(void)
{
	char name[NAME];

	for (int i = 0; i < count; i++) {
		write_small(i, name);
		if (i % 50 == 0)
			holds_nothing_at_all();
	}
	holds_nothing_at_all();
	return 0;
}

static long long room(void)
{
	struct statvfs fs;

	must(statvfs(dir, &fs) == 0, "statvfs");
	return (long long)fs.f_bfree * fs.f_frsize;
}

static int delete_all(void)
{
	long long before = room();
	char name[NAME];

	for (int i = 0; i < count; i++)
		write_small(i, name);
	sync();
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s/f%d", dir, i);
		must(unlink(name) == 0, "unlink");
	}
	holds_nothing_at_all();
	printf("%lld\n", before - room());
	return 0;
}

static char *program;
static size_t length;

/* A child has the descriptors of all threads until it runs: writing and starting take turns. */
static pthread_rwlock_t turn = PTHREAD_RWLOCK_INITIALIZER;

static void *run_copies(void *number)
{
	char name[NAME], *words[] = {name, NULL};
	pid_t pid;
	int status, error;

	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s/x%ld-%d", dir, (long)number, i);
		pthread_rwlock_rdlock(&turn);
		write_file(name, 0755, program, length);
		pthread_rwlock_unlock(&turn);
		pthread_rwlock_wrlock(&turn);
		error = posix_spawn(&pid, name, NULL, NULL, words, NULL);
		pthread_rwlock_unlock(&turn);
		errno = error;
		must(!error, "posix_spawn");
		must(waitpid(pid, &status, 0) == pid && status == 0, "its program");
		unlink(name);
	}
	return NULL;
}

static int run_all(const char *path, long threads)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	pthread_t thread[16];

	program = malloc(1 << 20);
	length = read(fd, program, 1 << 20);
	must(close(fd) == 0 && length > 0, path);
	for (long i = 0; i < threads; i++)
		must(!pthread_create(&thread[i], NULL, run_copies, (void *)i), "pthread_create");
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

static void touch_at(int fd, off_t at)
{
	char byte = 1;

	must(pread(fd, &byte, 1, at) == 1 && !byte, "pread");
	must(pwrite(fd, "x", 1, at) == 1, "pwrite");
}

static int touch(const char *name, long long size)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	char block[64 << 10], line[128];
	FILE *status;
	char *map;

	must(fd >= 0 && ftruncate(fd, size) == 0, "ftruncate");
	must(close(fd) == 0, "close");
	fd = open(name, O_RDWR);
	touch_at(fd, 0);
	touch_at(fd, size / 2);
	touch_at(fd, size - 1);
	for (int i = 0; i < 64; i++)
		must(read(fd, block, sizeof(block)) == sizeof(block), "read");
	map = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(map != MAP_FAILED, "mmap");
	map[1] = 1;
	munmap(map, 4 << 20);
	must(close(fd) == 0, "close");
	status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmHWM: %lld", &size) == 1)
			printf("%lld\n", size);
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 3 ? argv[1] : "";

	dir = argc > 2 ? argv[2] : "";
	count = argc > 3 ? atoi(argv[3]) : 0;
	if (!strcmp(verb, "write"))
		return write_all();
	if (!strcmp(verb, "delete"))
		return delete_all();
	if (!strcmp(verb, "run") && argc == 6)
		return run_all(argv[4], atol(argv[5]));
	if (!strcmp(verb, "touch"))
		return touch(dir, atoll(argv[3]));
	return 2;
}
