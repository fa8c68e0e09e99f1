/*
 * killed.c - kill -9 loses nothing that a write returned: killed SEED ROUNDS HOW FILE
 *
 * A writer, preloaded with $PRELOAD, tells in shared memory how far its calls have returned, and is
 * killed at a random moment. Up to there every byte is in the file. What is behind it is the start
 * of what the writer was about to write and no hole; in a file that was there before (`over`), new
 * or old bytes. Where it writes by a description that outlives it, that stands where the bytes end:
 * the next who writes there leaves no hole, and nothing behind what it writes.
 *   write   by small writes            large   by large ones, at odd places
 *   pwrite  at explicit offsets        over    the same, into a file of zeros
 *   copy    copy_file_range(2)
 *   shared, shared-copy                large, copy, on an inherited descriptor
 *   parent, parent-copy                the same, and a child is there that has it, too
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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOTAL = 24 << 20, SMALL = 50000, LARGE = (3 << 20) + 4096 + 123, MIDDLE = 700001 };

static unsigned char memory[TOTAL];
static struct board {
	_Atomic long written;  /* bytes that calls have returned */
	_Atomic long position; /* of a description that a child of the writer has */
} * board;

static bool is(const char *how, const char *name)
{
	return !strcmp(how, name);
}

static bool starts(const char *how, const char *with)
{
	return !strncmp(how, with, strlen(with));
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
	if (strstr(how, "copy"))
		return copy_file_range(in, NULL, out, NULL, n, 0);
	if (is(how, "pwrite") || is(how, "over"))
		return pwrite(out, memory + at, n, at);
	return write(out, memory + at, n);
}

/* Waits until the parent is dead, and tells where the description stands then. */
static void child(int out)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	atomic_store(&board->position, -1);
	sigwaitinfo(&set, NULL);
	atomic_store(&board->position, lseek(out, 0, SEEK_CUR));
	_exit(0);
}

static int open_for_both(const char *file)
{
	int out = open(file, O_WRONLY);

	if (!fork())
		child(out);
	while (!atomic_load(&board->position))
		usleep(50);
	return out;
}

static int open_for(const char *how, const char *file)
{
	if (starts(how, "shared"))
		return STDOUT_FILENO;
	return starts(how, "parent") ? open_for_both(file) : open(file, O_WRONLY);
}

static int writer(const char *how, const char *file, const char *source, int number)
{
	int out;
	int in = open(source, O_RDONLY);

	map_board(number);
	out = open_for(how, file);
	pattern_fill(memory, TOTAL, 0);
	for (long at = 0; at < TOTAL;) {
		ssize_t n = write_some(how, in, out, at);

		if (n <= 0)
			err(2, "%s", how);
		atomic_store(&board->written, at += n);
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
		if (starts(how, "shared"))
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

	while (atomic_load(&board->written) < target && !waitpid(child, NULL, WNOHANG))
		usleep(50);
	usleep((useconds_t)(random() % 2000));
	if (kill(child, SIGKILL) || waitpid(child, NULL, 0) != child)
		err(2, "the writer is gone");
}

static void check(const char *how, const char *file)
{
	long promised = atomic_load(&board->written), size, good;
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

/* Where the description stands that outlives the writer; -1 where none does. */
static long position(const char *how, int out)
{
	if (starts(how, "shared"))
		return lseek(out, 0, SEEK_CUR);
	while (atomic_load(&board->position) < 0)
		usleep(50);
	return starts(how, "parent") ? atomic_load(&board->position) : -1;
}

static void check_position(long at, const char *file)
{
	struct stat st;

	if (at >= 0 && (stat(file, &st) || st.st_size != at))
		errx(1, "the description stands at %ld of %ld", at, (long)st.st_size);
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
		check_position(position(argv[3], out), argv[4]);
		munmap(board, sizeof(*board));
		close(out);
	}
	return 0;
}
