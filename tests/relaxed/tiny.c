/*
 * tiny.c - tiny requests of every size, over the ends of blocks, back and forth on one description.
 */
#include "relaxed.h"

enum { ALL = 9 << 20 };

static const size_t sizes[] = {1, 128, 4095, 4096, 4097, 65535, 65536, 70000, 1 << 20, 3};

static void write_mixed(int fd)
{
	static unsigned char some[1 << 20];
	long long at = 0;

	for (int i = 0; at < ALL; i++) {
		size_t n = sizes[i / 40 % 10];

		pattern_fill(some, n, at);
		must(write(fd, some, n) == (ssize_t)n, "write");
		at += n;
	}
	must(ftruncate(fd, ALL) == 0, "ftruncate");
}

static void read_mixed(int fd)
{
	static unsigned char some[1 << 20];
	long long at = 0;

	for (int i = 0; at < ALL; i++) {
		size_t n = sizes[i / 40 % 10];

		n = (long long)n < ALL - at ? n : (size_t)(ALL - at);
		must(read(fd, some, n) == (ssize_t)n, "read");
		must_match(some, n, at);
		at += n;
	}
	for (int i = 0; i < 5; i++)
		must(read(fd, some, 100) == 0, "read at the end");
}

/* Overwrites what it has just read, and reads what it has just written. */
static void alternate(int fd)
{
	must(lseek(fd, 1000, SEEK_SET) == 1000, "lseek");
	for (long long at = 1000; at < 2000000; at += 99 * 2000) {
		read_tiny(fd, at, at + 99 * 1000, 99);
		write_tiny(fd, at + 99 * 1000, at + 99 * 2000, 99);
		must(lseek(fd, at + 99 * 1000, SEEK_SET) == at + 99 * 1000, "lseek");
		read_tiny(fd, at + 99 * 1000, at + 99 * 2000, 99);
	}
}

/* A reader at the end sees what comes to be there. */
static void grow(int fd)
{
	int other = open("dst", O_WRONLY | O_APPEND);
	unsigned char some[TINY];

	must(lseek(fd, ALL, SEEK_SET) == ALL, "lseek");
	for (long long at = ALL; at < ALL + TINY * 10; at += TINY) {
		must(read(fd, some, TINY) == 0, "read at the end");
		write_tiny(other, at, at + TINY, TINY);
		read_tiny(fd, at, at + TINY, TINY);
	}
}

/* The last bytes are less than what is asked for. */
static void read_end(int fd)
{
	unsigned char some[100];
	long long at = ALL - 300007;

	must(lseek(fd, at, SEEK_SET) == at, "lseek");
	read_tiny(fd, at, ALL - 7, 100);
	must(read(fd, some, 100) == 7, "the last seven");
	must_match(some, 7, ALL - 7);
	must(read(fd, some, 100) == 0, "the end");
}

int main(void)
{
	int fd = open("dst", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);

	must(fd >= 0, "open");
	write_mixed(fd);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_mixed(fd);
	alternate(fd);
	read_end(fd);
	grow(fd);
	return 0;
}
