/*
 * changing.c - a file is changed by another process while it is read or written: changing HOW
 * EVENT FILE. Prints what the program sees, which is the same with and without the library.
 *
 * HOW: read or write; in the middle `sh -c EVENT` runs, without the library, with $FILE. What
 * each call returns is printed, with errno and a sum of the bytes, then the offset and the size.
 */
#include "pattern.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 256 * 1024, BLOCKS = 24, MOST = 200 };

static unsigned char memory[BLOCK];

static unsigned long sum(ssize_t n)
{
	unsigned long s = 5381;

	for (ssize_t i = 0; i < n; i++)
		s = s * 33 + memory[i];
	return s;
}

static void say(const char *what, ssize_t n)
{
	printf("%s %zd %s %lx\n", what, n, n < 0 ? strerror(errno) : "-", sum(n));
}

static void disturb(const char *event)
{
	int status;

	fflush(stdout);
	if (!fork()) {
		unsetenv("LD_PRELOAD");
		execl("/bin/sh", "sh", "-c", event, NULL);
		_exit(127);
	}
	wait(&status);
	printf("event %d\n", status);
}

static int reads(int fd, const char *event)
{
	ssize_t n;

	for (int i = 0; i < MOST; i++) {
		if (i == BLOCKS / 2)
			disturb(event);
		memset(memory, 0, BLOCK);
		n = read(fd, memory, BLOCK);
		say("read", n);
		if (n <= 0)
			break;
	}
	memset(memory, 0, BLOCK);
	say("pread", pread(fd, memory, BLOCK, 12345));
	return 0;
}

static int writes(int fd, const char *event)
{
	for (int i = 0; i < BLOCKS; i++) {
		if (i == BLOCKS / 2)
			disturb(event);
		pattern_fill(memory, BLOCK, (uint64_t)i * BLOCK);
		say("write", write(fd, memory, BLOCK));
	}
	say("pwrite", pwrite(fd, memory, BLOCK, 54321));
	say("fsync", fsync(fd));
	return 0;
}

int main(int argc, char **argv)
{
	struct stat st;
	int fd;

	if (argc != 4)
		return 2;
	setenv("FILE", argv[3], 1);
	fd = open(argv[3], !strcmp(argv[1], "read") ? O_RDONLY : O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		err(2, "%s", argv[3]);
	if (!strcmp(argv[1], "read"))
		reads(fd, argv[2]);
	else
		writes(fd, argv[2]);
	if (fstat(fd, &st))
		err(2, "fstat");
	printf("offset %ld size %ld links %ld\n", (long)lseek(fd, 0, SEEK_CUR), (long)st.st_size,
	       (long)st.st_nlink);
	return 0;
}
