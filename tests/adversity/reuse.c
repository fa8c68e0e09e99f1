/* reuse.c - a number is closed and given to another file while a large write or read of another
 * thread is under way: not a byte goes to the new file or comes from it, and its offset stands. */
#include "adversity.h"

#include <pthread.h>

enum { LEN = 16 * MIB, CALL = LEN - 1000, OTHER = 64 * 1024 };

static unsigned char *buffer;
static int fd;
static ssize_t moved;

static void *writer(void *unused)
{
	moved = write(fd, buffer, CALL);
	return unused;
}

static void *reader(void *unused)
{
	moved = read(fd, buffer, CALL);
	return unused;
}

static int write_began(void)
{
	struct stat st;

	return stat("dst", &st) == 0 && st.st_size > 0;
}

static int read_began(void)
{
	return *(volatile unsigned char *)buffer != 0;
}

static void make_other(void)
{
	static char bytes[OTHER];
	int own = create("other");

	memset(bytes, 'o', OTHER);
	must(write(own, bytes, OTHER) == OTHER, "make the other file");
	must_close(own);
}

static void must_be_other(void)
{
	static char bytes[OTHER + 1];
	int own = open("other", O_RDONLY);

	must(own >= 0 && read(own, bytes, sizeof bytes) == OTHER, "size of the other file");
	for (int i = 0; i < OTHER; i++)
		must(bytes[i] == 'o', "the other file was written to");
	must_close(own);
}

static void take_number(off_t offset)
{
	int was = fd;

	must(close(was) == 0, "close");
	must(open("other", O_RDWR) == was, "not the same number");
	must(lseek(was, offset, SEEK_SET) == offset, "lseek");
}

/* `call` in a thread; when it has begun, and some time more, its number is taken away. */
static void race(void *(*call)(void *), int (*began)(void), int us)
{
	const off_t offset = (off_t)1 << 40;
	pthread_t thread;

	make_other();
	must(pthread_create(&thread, NULL, call, NULL) == 0, "pthread_create");
	while (!began())
		;
	usleep(us);
	take_number(offset);
	must(pthread_join(thread, NULL) == 0 && moved > 0, "the call");
	must(lseek(fd, 0, SEEK_CUR) == offset, "the other file's offset was moved");
	must_close(fd);
	must_be_other();
}

static void writes(int us)
{
	fd = create("dst");
	pattern_fill(buffer, LEN, 0);
	race(writer, write_began, us);
	must_hold("dst", moved);
	unlink("dst");
}

static void reads(int us)
{
	memset(buffer, 0, LEN);
	fd = open("large", O_RDONLY);
	must(fd >= 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0, "open");
	race(reader, read_began, us);
	must_match(buffer, moved, 0);
}

int main(void)
{
	int64_t start = now_us();
	int large = create("large"), us = 0;

	buffer = malloc(LEN);
	write_some(large, 0, LEN);
	must(fsync(large) == 0, "fsync");
	must_close(large);
	do {
		writes(us);
		reads(us);
		us = (us + 900) % 4000;
	} while (us < 1000 || goes_on(start));
	return 0;
}
