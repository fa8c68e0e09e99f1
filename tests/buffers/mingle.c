/*
 * mingle.c - files whose bytes tell which file they are of, moved one beside the other: mingle WAY.
 * Each is written and read by requests that end within a block; what is read, what is behind it in
 * the program's buffer, and what a file has when it is made longer, is looked through for others.
 */
#include "../progs/prog.h"

#include <sys/sendfile.h>

enum { MOST = 2 << 20, FILLER = 0xA5, SECRET = 8 << 20, TICK = 20000 };
enum { OTHER = 7 }; /* a file beside the secret one, which is 0 */

static const int sizes[] = {1, 511, 513, 4097, 70001, (512 << 10) + 1, MOST - 1000};
static const int requests[] = {100, 4096, 60000, MOST};

/* The bytes of one file are those of the pattern at offsets of its own. */
static uint64_t of(int file, uint64_t at)
{
	return ((uint64_t)(file + 1) << 40) + at;
}

static void must_be(const unsigned char *p, size_t n, int file, uint64_t at)
{
	must(pattern_check(p, n, of(file, at)) == n, "bytes that are not the file's");
}

static void must_be_filler(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		must(p[i] == FILLER, "bytes behind what was read");
}

static void must_be_at(int fd, int file, uint64_t at, size_t n)
{
	static unsigned char buffer[MOST];

	must(pread(fd, buffer, n, at) == (ssize_t)n, "pread");
	must_be(buffer, n, file, at);
}

static void must_be_zeros(int fd, uint64_t at, size_t n)
{
	static unsigned char buffer[MOST];

	must(pread(fd, buffer, n, at) == (ssize_t)n, "read a hole");
	for (size_t i = 0; i < n; i++)
		must(!buffer[i], "bytes in a hole");
}

static void writes(int fd, int file, size_t size, size_t request)
{
	static unsigned char buffer[MOST];

	for (size_t at = 0, n; at < size; at += n) {
		n = size - at < request ? size - at : request;
		pattern_fill(buffer, n, of(file, at));
		must(write(fd, buffer, n) == (ssize_t)n, "write");
	}
}

/* One request, whose buffer is larger. Returns what it read. */
static ssize_t one_read(int fd, int file, uint64_t at, size_t request)
{
	static unsigned char buffer[MOST + 4096];
	ssize_t n;

	memset(buffer, FILLER, request + 4096);
	n = read(fd, buffer, request);
	must(n >= 0, "read");
	must_be(buffer, n, file, at);
	must_be_filler(buffer + n, request + 4096 - n);
	return n;
}

static void reads(int fd, int file, size_t size, size_t request)
{
	size_t at = 0, n;

	while ((n = one_read(fd, file, at, request)) > 0)
		at += n;
	must(at == size, "size");
}

static void cold(int fd)
{
	must(fsync(fd) == 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0, "fsync");
}

static int opens(const char *name, int flags)
{
	int fd = open(name, flags);

	must(fd >= 0, "open");
	return fd;
}

/* What was changed in the last tick of the clock, or is open for writing, is not read ahead. */
static void makes(const char *name, int file, size_t size, size_t request)
{
	int fd = create(name);

	writes(fd, file, size, request);
	cold(fd);
	must_close(fd);
	usleep(TICK);
}

/* What was written lately and what is read ahead lies in some buffer from here on. */
static int secret(void)
{
	int fd;

	makes("secret", 0, SECRET, MOST);
	fd = opens("secret", O_RDONLY);
	for (size_t at = 0; at < SECRET / 2;)
		at += one_read(fd, 0, at, MOST);
	return fd;
}

/* A file that is read at once, and after it was made longer. */
static void one_size(int file, size_t size, size_t request)
{
	int fd;

	makes("file", file, size, request);
	fd = opens("file", O_RDWR);
	reads(fd, file, size, request);
	must(ftruncate(fd, size + 10000) == 0 && lseek(fd, 0, SEEK_SET) == 0, "ftruncate");
	must_be_zeros(fd, size, 10000);
	must_close(fd);
}

static void ways_by_size(void)
{
	int kept = secret();

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (size_t j = 0; j < sizeof(requests) / sizeof(*requests); j++)
			one_size(1 + (int)i, sizes[i], requests[j]);
	must_close(kept);
}

/* Two files in turn, by requests that tear blocks apart, are read and then written. */
static void ways_in_turn(void)
{
	for (size_t j = 0; j < sizeof(requests) / sizeof(*requests); j++) {
		size_t request = requests[j] - 7, ours = 0, theirs = 0;
		int fd = secret(), other;

		must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
		makes("other", OTHER, SECRET - 999, MOST);
		other = opens("other", O_RDONLY);
		for (int i = 0; i < 200; i++) {
			ours += one_read(fd, 0, ours, request);
			theirs += one_read(other, OTHER, theirs, request);
		}
		must_close(fd);
		must_close(other);
	}
}

static void ways_in_turn_writing(void)
{
	static unsigned char buffer[MOST];

	for (size_t j = 0; j < sizeof(requests) / sizeof(*requests); j++) {
		int fd[2] = {create("one"), create("two")};
		size_t request = requests[j] - 7, size = 0;

		for (int i = 0; i < 100 && size < SECRET; i++, size += request)
			for (int k = 0; k < 2; k++) {
				pattern_fill(buffer, request, of(k + 1, size));
				must(write(fd[k], buffer, request) == (ssize_t)request, "write");
			}
		for (int k = 0; k < 2; k++) {
			cold(fd[k]);
			must(lseek(fd[k], 0, SEEK_SET) == 0, "lseek");
			reads(fd[k], k + 1, size, MOST);
			must_close(fd[k]);
		}
	}
}

/* A source with a hole, of an odd length; the destination then has the hole, too, or zeros. */
static void ways_copied(void)
{
	enum { HOLE = 4 << 20, END = 5 << 20 };
	int kept = secret(), from = create("holes"), to = create("copied");
	off_t in = 0;

	writes(from, 1, MOST, MOST);
	must(ftruncate(from, HOLE) == 0 && lseek(from, HOLE, SEEK_SET) == HOLE, "hole");
	writes(from, 2, END - HOLE + 321, MOST);
	cold(from);
	while (in < END + 321)
		must(sendfile(to, from, &in, END) > 0, "sendfile");
	cold(to);
	must(lseek(to, 0, SEEK_SET) == 0 && one_read(to, 1, 0, MOST) == MOST, "copy");
	must_be_zeros(to, MOST, HOLE - MOST);
	must(lseek(to, HOLE, SEEK_SET) == HOLE, "lseek");
	reads(to, 2, END - HOLE + 321, MOST);
	must_close(from);
	must_close(to);
	must_close(kept);
}

/* A child, which has none of the parent's buffers, reads on, and moves a file of its own. */
static void ways_of_a_child(void)
{
	int kept = secret();
	pid_t child = fork();

	if (!child) {
		must_be_at(kept, 0, SECRET / 2, MOST);
		one_size(3, MOST - 1000, MOST);
		one_size(4, 70001, 100);
		_exit(0);
	}
	must_reap(child);
	for (size_t at = SECRET / 2; at < SECRET;)
		at += one_read(kept, 0, at, MOST);
	must_close(kept);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (!strcmp(way, "sizes"))
		ways_by_size();
	else if (!strcmp(way, "in-turn"))
		ways_in_turn();
	else if (!strcmp(way, "in-turn-writing"))
		ways_in_turn_writing();
	else if (!strcmp(way, "copies"))
		ways_copied();
	else if (!strcmp(way, "child"))
		ways_of_a_child();
	else
		return 2;
	return 0;
}
