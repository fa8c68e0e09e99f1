/* dio_sparse.c - one process writes a sparse file by O_DIRECT while others read it through the
 * page cache: no reader may ever see anything but zeros or what was written.
 *   dio_sparse FILE SIZE WRITE-BLOCK READERS
 * Readers go through the file by 4 KiB from its start, again and again, until all is written; then
 * each reads it once more, and must find every byte written. Prints `bytes=N ns=N durable=N cpu=N
 * passes=N` (of the writer; passes: whole ones of all readers), ends with 1 where a byte was wrong.
 * The kernel-test program of that name, of which this is a new writing, does the same. */
#include "bench.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_BLOCK = 4096 };

struct shared {
	_Atomic int written; /* the file is complete */
	_Atomic long passes;
};

static int must_open(const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	if (fd < 0)
		die("open");
	return fd;
}

/* Every word is that of its place, or zero while the writer is under way. */
static void look(const unsigned char *p, ssize_t n, int64_t at, int complete)
{
	for (ssize_t i = 0; i + 8 <= n; i += 8) {
		uint64_t word;

		memcpy(&word, p + i, 8);
		if (word != pattern_word(at + i) && (word || complete))
			wrong(at + i);
	}
}

static void read_once(int fd, int64_t size, int complete, struct shared *s)
{
	unsigned char buffer[READ_BLOCK];
	int64_t at = 0;
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET))
		die("lseek");
	while ((n = read(fd, buffer, sizeof buffer)) > 0) {
		look(buffer, n, at, complete);
		at += n;
		if (!complete && s->written)
			return;
	}
	if (n < 0)
		die("read");
	if (at != size)
		wrong(at);
	s->passes++;
}

static void reader(const char *path, int64_t size, struct shared *s)
{
	int fd = must_open(path, O_RDONLY);

	while (!s->written)
		read_once(fd, size, 0, s);
	read_once(fd, size, 1, s);
	exit(0);
}

static void write_all(const char *path, int64_t size, int64_t block, struct work *w)
{
	unsigned char *buffer = aligned_alloc(READ_BLOCK, block < READ_BLOCK ? READ_BLOCK : block);
	int fd = must_open(path, O_WRONLY | O_DIRECT);

	for (; w->bytes < size; w->bytes += block) {
		pattern_fill(buffer, block, w->bytes);
		if (write(fd, buffer, block) != block)
			die("write");
	}
	work_done(w);
	if (fsync(fd) || close(fd))
		die("fsync");
}

/* A writer that fails leaves no readers behind: they are told, and see what is missing. */
static void readers_end(int readers, int *failed)
{
	int status;

	while (readers-- > 0)
		if (wait(&status) < 0 || status)
			*failed = 1;
}

int main(int argc, char **argv)
{
	int failed = 0, status;

	if (argc != 5) {
		fprintf(stderr, "usage: dio_sparse FILE SIZE WRITE-BLOCK READERS\n");
		return 2;
	}
	int64_t block = atoll(argv[3]), size = atoll(argv[2]) / block * block;
	struct shared *s =
		mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = must_open(argv[1], O_RDWR | O_CREAT | O_TRUNC);

	if (s == MAP_FAILED || ftruncate(fd, size) || close(fd))
		die(argv[1]);
	for (int i = atoi(argv[4]); i > 0; i--)
		if (fork() == 0)
			reader(argv[1], size, s);
	pid_t writer = fork();

	if (writer == 0) {
		struct work w;

		work_start(&w);
		write_all(argv[1], size, block, &w);
		s->written = 1;
		work_print(&w);
		return 0;
	}
	if (writer < 0 || waitpid(writer, &status, 0) < 0 || status) {
		failed = 1;
		s->written = 1;
	}
	readers_end(atoi(argv[4]), &failed);
	printf("passes=%ld\n", s->passes);
	return failed;
}
