/* beside.c - reads one file over and over while it is changed; no byte may be older than the read.
 *
 *   beside READ HOW OPENING WHERE
 *
 * READ is the length of a read. HOW the file is changed: write direct map shrink punch copy clone,
 * or none. OPENING: the writer has it open before the reader and throughout (held), opens it while
 * the reader streams (late), opens and closes it all the time (again), or has closed it and kept
 * its mapping (gone). WHERE the writer is: another process without the library (process) or with
 * it (shimmed), another thread (thread), the reader itself between its reads (same).
 *
 * Works on the file `shared` of the working directory. Status 0, 1 with a line on stderr where the
 * reader got stale bytes or a wrong count, 77 where the file system has no such change. */
#include "board.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PASSES = 6, LONGEST = 1 << 20, PATIENCE = 60, INTERLEAVED = 256 << 10 };

static struct board *board;
static struct writer writer;
static pid_t child;
static uint32_t before[LONGEST / BLOCK], buffer[LONGEST / 4];

__attribute__((noreturn, format(printf, 2, 3))) static void end(int status, const char *why, ...)
{
	va_list args;

	va_start(args, why);
	vdprintf(2, why, args);
	va_end(args);
	board->stop = 1;
	if (child > 0)
		kill(child, SIGKILL);
	_exit(status);
}

static void must(int ok, const char *what)
{
	if (!ok)
		end(1, "%s (errno %d, %s)\n", what, errno, strerror(errno));
}

/* Block b was of generation `then` before it was read. */
static void check_word(uint32_t b, uint32_t then, uint32_t started, uint32_t word)
{
	uint32_t least = then & ~ZERO, expected = then & ZERO ? 0 : then;

	if (word > started)
		end(1, "block %u: generation %u, but only %u was written\n", b, word, started);
	if (started == least ? word != expected : word && word < least)
		end(1, "block %u is stale: generation %u, but %u%s was there before the read\n", b,
		    word, least, then & ZERO ? " (zeros)" : "");
}

static void check_blocks(uint32_t first, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t started = board->started[first + i];

		check_word(first + i, before[i], started, buffer[i * BLOCK / 4]);
		check_word(first + i, before[i], started, buffer[i * BLOCK / 4 + LAST_WORD]);
	}
}

static size_t expected_count(uint64_t at, size_t len, uint64_t size)
{
	if (at >= size)
		return 0;
	return len < size - at ? len : size - at;
}

/* Returns the count of one checked read. */
static size_t read_at(int fd, uint64_t at, size_t len)
{
	uint64_t turn = board->size_turn, size = board->size;

	for (size_t i = 0; i < len / BLOCK && at / BLOCK + i < BLOCKS; i++)
		before[i] = board->published[at / BLOCK + i];

	ssize_t n = read(fd, buffer, len);

	must(n >= 0, "read");
	if (turn % 2 == 0 && turn == board->size_turn && (size_t)n != expected_count(at, len, size))
		end(1, "read %zd bytes at %lu of a file of %lu\n", n, (long)at, (long)size);
	check_blocks(at / BLOCK, n / BLOCK);
	board->position = at + n;
	board->progress += n;
	return n;
}

static void pass(int fd, size_t len)
{
	uint64_t at = 0;
	size_t n;

	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	while ((n = read_at(fd, at, len)) > 0) {
		at += n;
		if (writer.interleaved && at % INTERLEAVED == 0)
			writer_step(&writer);
	}
	must(lseek(fd, 0, SEEK_CUR) == (off_t)at, "wrong offset");
}

static void make_file(void)
{
	int fd = open("shared", O_RDWR | O_CREAT | O_TRUNC, 0644);

	memset(buffer, 0, sizeof buffer);
	for (size_t done = 0; done < SIZE; done += sizeof buffer)
		must(write(fd, buffer, sizeof buffer) == sizeof buffer, "write");
	must(fsync(fd) == 0, "fsync");
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	board->size = SIZE;
}

static void *in_thread(void *unused)
{
	writer_prepare(&writer);
	writer_run(&writer);
	return unused;
}

/* Runs this program anew as the writer, with or without what is preloaded here. */
static void in_process(char **argv, int board_fd, int shimmed)
{
	char number[16];

	snprintf(number, sizeof number, "%d", board_fd);
	child = fork();
	must(child >= 0, "fork");
	if (child > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!shimmed)
		unsetenv("LD_PRELOAD");
	execl("/proc/self/exe", argv[0], "writer", argv[2], argv[3], number, (char *)NULL);
	_exit(127);
}

static void start_writer(char **argv, int board_fd)
{
	static pthread_t thread;
	const char *where = argv[4];

	if (strcmp(where, "same") == 0) {
		writer.interleaved = 1;
		writer_prepare(&writer);
	} else if (strcmp(where, "thread") == 0) {
		must(pthread_create(&thread, NULL, in_thread, NULL) == 0, "pthread_create");
	} else {
		in_process(argv, board_fd, strcmp(where, "shimmed") == 0);
	}
	while (!board->ready) {
		must(child == 0 || waitpid(child, NULL, WNOHANG) == 0, "the writer ended");
		usleep(100);
	}
	if (board->cannot)
		end(77, "this file system cannot %s\n", argv[2]);
}

/* Reads until there were enough passes, and changes beside them. */
static void stream(size_t len, uint64_t changes)
{
	int fd = open("shared", O_RDONLY | O_CLOEXEC);
	time_t start = time(NULL);

	must(fd >= 0, "open");
	for (int i = 0; i < PASSES || board->changes < changes; i++) {
		pass(fd, len);
		must(time(NULL) - start < PATIENCE, "the writer makes no changes");
		must(child == 0 || waitpid(child, NULL, WNOHANG) == 0, "the writer ended");
	}
	must(close(fd) == 0, "close");
}

/* How many changes there must be at least. A store is quick; a shrink brings many. */
static uint64_t enough(const char *how)
{
	if (strcmp(how, "none") == 0)
		return 0;
	if (strcmp(how, "map") == 0)
		return writer.interleaved ? BLOCKS + 200 : 100000;
	return strcmp(how, "shrink") == 0 ? 4000 : 200;
}

static struct board *board_of(int fd)
{
	void *p = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

int main(int argc, char **argv)
{
	int writing = argc > 4 && strcmp(argv[1], "writer") == 0;
	int fd = writing ? atoi(argv[4]) : memfd_create("board", 0);

	if (argc < 5 || ftruncate(fd, sizeof *board) || !(board = board_of(fd)))
		return 2;
	writer = (struct writer){.board = board, .how = argv[2], .opening = argv[3]};
	if (writing) {
		writer_prepare(&writer);
		writer_run(&writer);
		return 0;
	}
	make_file();
	if (strcmp(argv[2], "none") != 0)
		start_writer(argv, fd);
	stream(atoi(argv[1]), enough(argv[2]));
	end(0, "%s", "");
}
