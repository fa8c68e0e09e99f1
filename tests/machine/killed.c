/*
 * killed.c - kill -9 loses nothing that a write returned: killed SEED ROUNDS HOW FILE
 *
 * A writer, preloaded with $PRELOAD, tells in shared memory how far its calls have returned, and is
 * killed at a random moment. Up to there every byte is in the file. What is behind it is the start
 * of what the writer was about to write and no hole; in a file that was there before (`over`), new
 * or old bytes. Where it writes by a description that outlives it (`shared`), that does not stand
 * behind the end of the file, where the next writer would leave a hole.
 *   write   by small writes            large   by large ones, at odd places
 *   pwrite  at explicit offsets        over    the same, into a file of zeros
 *   copy    copy_file_range(2)         shared  large, on an inherited descriptor
 */
#include "pattern.h"

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOTAL = 24 << 20, SMALL = 50000, LARGE = (3 << 20) + 4096 + 123, MIDDLE = 700001 };

static unsigned char memory[TOTAL];
static _Atomic long *board; /* bytes that calls have returned */

static bool is(const char *how, const char *name)
{
	return !strcmp(how, name);
}

static void map_board(int fd)
{
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		err(2, "mmap");
}

static ssize_t write_some(const char *how, int in, int out, long at)
{
	size_t left = TOTAL - (size_t)at;
	size_t n = is(how, "write") ? SMALL : is(how, "pwrite") || is(how, "over") ? MIDDLE : LARGE;

	if (n > left)
		n = left;
	if (is(how, "copy"))
		return copy_file_range(in, NULL, out, NULL, n, 0);
	if (is(how, "pwrite") || is(how, "over"))
		return pwrite(out, memory + at, n, at);
	return write(out, memory + at, n);
}

static int writer(const char *how, const char *file, const char *source, int number)
{
	int out = is(how, "shared") ? STDOUT_FILENO : open(file, O_WRONLY);
	int in = open(source, O_RDONLY);

	map_board(number);
	pattern_fill(memory, TOTAL, 0);
	for (long at = 0; at < TOTAL;) {
		ssize_t n = write_some(how, in, out, at);

		if (n <= 0)
			err(2, "%s", how);
		atomic_store(board, at += n);
	}
	pause();
	return 0;
}

static void make(const char *path, bool filled)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || (filled && write(fd, memory, TOTAL) != TOTAL) || fsync(fd))
		err(2, "%s", path);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
}

static pid_t start(const char *self, const char *how, const char *file, const char *source, int out)
{
	int number = memfd_create("board", 0);
	char word[16];
	pid_t child;

	if (number < 0 || ftruncate(number, sizeof(*board)))
		err(2, "memfd_create");
	map_board(number);
	snprintf(word, sizeof(word), "%d", number);
	child = fork();
	if (!child) {
		if (is(how, "shared"))
			dup2(out, STDOUT_FILENO);
		setenv("LD_PRELOAD", getenv("PRELOAD"), 1);
		execl(self, self, how, file, source, word, NULL);
		_exit(127);
	}
	close(number);
	return child;
}

/* Kills it once it has come to a random place, and a little later. */
static void kill_it(pid_t child)
{
	long target = random() % (TOTAL * 3L / 4);

	while (atomic_load(board) < target && !waitpid(child, NULL, WNOHANG))
		usleep(50);
	usleep((useconds_t)(random() % 2000));
	if (kill(child, SIGKILL) || waitpid(child, NULL, 0) != child)
		err(2, "the writer is gone");
}

static void check(const char *how, const char *file)
{
	long promised = atomic_load(board), size, good;
	int fd = open(file, O_RDONLY);

	memset(memory, 0, TOTAL);
	size = read(fd, memory, TOTAL);
	close(fd);
	if (size < promised)
		errx(1, "%ld bytes are there, %ld were written", size, promised);
	good = (long)pattern_check(memory, (size_t)size, 0);
	for (long i = good; is(how, "over") && good >= promised && i < size; i++)
		if (memory[i] && memory[i] != pattern_byte((uint64_t)i))
			errx(1, "neither old nor new at %ld", i);
	if (good < (is(how, "over") ? promised : size))
		errx(1, "wrong at %ld of %ld, %ld were written", good, size, promised);
}

int main(int argc, char **argv)
{
	char source[4096];
	int rounds, out;
	pid_t child;

	if (argc != 5)
		return 2;
	if (getenv("LD_PRELOAD"))
		return writer(argv[1], argv[2], argv[3], atoi(argv[4]));
	srandom((unsigned)atoi(argv[1]));
	rounds = atoi(argv[2]);
	snprintf(source, sizeof(source), "%s.source", argv[4]);
	pattern_fill(memory, TOTAL, 0);
	make(source, true);
	for (int i = 0; i < rounds; i++) {
		memset(memory, 0, TOTAL);
		make(argv[4], is(argv[3], "over"));
		out = open(argv[4], O_WRONLY | O_CLOEXEC);
		child = start("/proc/self/exe", argv[3], argv[4], source, out);
		kill_it(child);
		check(argv[3], argv[4]);
		munmap(board, sizeof(*board));
		close(out);
	}
	return 0;
}
