/* hammer.c - threads read and write numbers that others close, replace and copy all the time. Every
 * byte of the pattern says where it belongs: each file is a part of it, so a piece of another
 * file or place shows. */
#include "adversity.h"

#include <pthread.h>

enum { FILES = 4, PART = MIB, NUMBERS = 6, READERS = 2, MOST = 300000 };

static int numbers[NUMBERS];
static volatile int over;

static unsigned next(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 8;
}

static void name_of(char *name, int file)
{
	snprintf(name, 16, "part%d", file);
}

/* The bytes must be some place's: whole words of one part, in order. */
static void must_be_a_piece(const unsigned char *p, ssize_t n)
{
	static const uint64_t inverse = UINT64_C(0xF1DE83E19937733D);
	uint64_t word, at;

	if (n < 8)
		return;
	memcpy(&word, p, 8);
	at = (word * inverse - 1) * 8;
	must(at + n <= (uint64_t)FILES * PART, "not a piece of any part");
	must(at / PART == (at + n - 1) / PART, "a piece of two parts");
	must_match(p, n, at);
}

static void *read_all_the_time(void *which)
{
	unsigned seed = (unsigned)(intptr_t)which + 1;
	unsigned char *p = malloc(MOST);

	while (!over) {
		int fd = numbers[next(&seed) % NUMBERS];
		size_t n = next(&seed) % 4 ? next(&seed) % 600 * 8 : MOST / 8 * 8;
		ssize_t got;

		if (next(&seed) % 2)
			got = pread(fd, p, n, next(&seed) % PART / 8 * 8);
		else
			got = read(fd, p, n);
		must(got >= 0 || errno == EBADF, "read");
		must_be_a_piece(p, got);
		if (got == 0)
			lseek(fd, 0, SEEK_SET);
	}
	free(p);
	return NULL;
}

/* Which part a number means: the bytes at its start say. -1: none. */
static int part_of(int fd)
{
	static const uint64_t inverse = UINT64_C(0xF1DE83E19937733D);
	uint64_t word;

	if (pread(fd, &word, 8, 0) != 8)
		return -1;
	return (int)((word * inverse - 1) * 8 / PART);
}

/*
 * Writes what is there already, to a descriptor of its own that others copy, to the last, and close
 * copies of.
 */
static void *write_all_the_time(void *unused)
{
	unsigned char *p = malloc(MOST);
	unsigned seed = 77;
	int fd = open("part1", O_RDWR);

	must(fd >= 0 && part_of(fd) == 1, "open the part");
	numbers[0] = fd;
	while (!over) {
		uint64_t at = next(&seed) % (PART - MOST);
		size_t n = next(&seed) % 2 ? MOST : next(&seed) % 5000;

		pattern_fill(p, n, PART + at);
		must(pwrite(fd, p, n, at) == (ssize_t)n, "pwrite");
	}
	free(p);
	return unused;
}

/* Closes, opens, replaces and copies numbers 1 and on. */
static void *change_all_the_time(void *unused)
{
	unsigned seed = 5;
	char name[16];

	while (!over) {
		int which = 1 + next(&seed) % (NUMBERS - 1), fd = numbers[which], fresh;

		name_of(name, next(&seed) % FILES);
		switch (next(&seed) % 3) {
		case 0:
			must(close(fd) == 0, "close");
			fresh = open(name, O_RDONLY);
			must(fresh >= 0, "open");
			numbers[which] = fresh;
			break;
		case 1:
			fresh = open(name, O_RDONLY);
			must(fresh >= 0 && dup2(fresh, fd) == fd, "dup2");
			must(close(fresh) == 0, "close");
			break;
		default:
			must((fresh = dup(numbers[0])) >= 0, "dup");
			must(lseek(fresh, next(&seed) % PART / 8 * 8, SEEK_SET) >= 0, "lseek");
			must(close(fresh) == 0, "close");
		}
	}
	return unused;
}

static void make_parts(void)
{
	char name[16];

	for (int i = 0; i < FILES; i++) {
		name_of(name, i);
		int fd = create(name);

		write_some(fd, (uint64_t)i * PART, PART);
		must_close(fd);
	}
}

static void look_at_parts(void)
{
	char name[16];

	for (int i = 0; i < FILES; i++) {
		name_of(name, i);
		int fd = open(name, O_RDONLY);
		struct stat st;

		must(fd >= 0 && fstat(fd, &st) == 0 && st.st_size == PART, "size");
		read_some(fd, (uint64_t)i * PART, PART);
		must_close(fd);
	}
}

static void hammer(void)
{
	pthread_t thread[READERS + 2];
	int64_t start = now_us();

	over = 0;
	for (int i = 0; i < NUMBERS; i++)
		must((numbers[i] = open("part0", O_RDONLY)) >= 0, "open");
	int first = numbers[0];

	must(pthread_create(&thread[0], NULL, write_all_the_time, NULL) == 0, "pthread_create");
	must(pthread_create(&thread[1], NULL, change_all_the_time, NULL) == 0, "pthread_create");
	for (intptr_t i = 0; i < READERS; i++)
		must(pthread_create(&thread[2 + i], NULL, read_all_the_time, (void *)i) == 0,
		     "pthread_create");
	while (goes_on(start))
		usleep(2000);
	over = 1;
	for (int i = 0; i < READERS + 2; i++)
		must(pthread_join(thread[i], NULL) == 0, "pthread_join");
	must_close(first);
	for (int i = 0; i < NUMBERS; i++)
		must_close(numbers[i]);
}

int main(void)
{
	int fds = descriptors();
	long pages;

	make_parts();
	hammer();
	pages = pages_mapped();
	hammer();
	must_be_back(fds, pages);
	look_at_parts();
	return 0;
}
