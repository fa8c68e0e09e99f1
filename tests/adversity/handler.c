/* handler.c - a handler every 100 us opens, reads, writes and closes the file that is being
 * written, and others: nothing is lost, twice, or late. */
#include "adversity.h"

static const size_t blocks[] = {100000, MIB, 300, 4 * MIB, 4096};
static unsigned char in_main[4 * MIB], in_handler[8192];
static volatile sig_atomic_t calls, said;
static volatile size_t done;
static int fd;

static void look_at(int from, size_t n, uint64_t at)
{
	n = n < sizeof in_handler ? n : sizeof in_handler;
	must(pread(from, in_handler, n, at) == (ssize_t)n, "pread in the handler");
	must_match(in_handler, n, at);
}

static void open_and_look(const char *name, size_t n)
{
	int own = open(name, O_RDONLY);

	must(own >= 0, "open in the handler");
	look_at(own, n, 0);
	must(close(own) == 0, "close in the handler");
}

static void duplicate(void)
{
	int copy = dup(fd);

	must(copy >= 0 && lseek(copy, 0, SEEK_CUR) >= (off_t)done, "offset in the handler");
	must(close(copy) == 0, "close of the copy");
}

static void say(void)
{
	int other = open("said", O_WRONLY | O_APPEND | O_CREAT, ANY_MODE);

	must(other >= 0 && write(other, "handler\n", 8) == 8, "write in the handler");
	must(close(other) == 0, "close in the handler");
	said++;
}

static void write_again(void)
{
	size_t n = done < 5000 ? done : 5000;

	pattern_fill(in_handler, n, done - n);
	must(pwrite(fd, in_handler, n, done - n) == (ssize_t)n, "pwrite in the handler");
}

static void handler(int unused)
{
	static int64_t ended;
	int saved = errno;

	(void)unused;
	if (now_us() - ended < 50)
		return; /* for the main program to go on */
	switch (calls++ % 6) {
	case 0:
		open_and_look("src", SIZE);
		break;
	case 1:
		open_and_look("dst", done);
		break;
	case 2:
		look_at(fd, done < 9999 ? done : 9999, done / 2);
		break;
	case 3:
		duplicate();
		break;
	case 4:
		say();
		break;
	case 5:
		write_again();
		break;
	}
	ended = now_us();
	errno = saved;
}

static void write_file(void)
{
	for (int i = 0; done < SIZE; i++) {
		size_t n = blocks[i % 5] < SIZE - done ? blocks[i % 5] : SIZE - done;

		pattern_fill(in_main, n, done);
		must(write(fd, in_main, n) == (ssize_t)n, "write");
		done += n;
	}
}

static void read_file(void)
{
	ssize_t n;

	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	done = 0;
	for (int i = 0; (n = read(fd, in_main, blocks[i % 5])) > 0; i++) {
		must_match(in_main, n, done);
		done += n;
	}
	must(n == 0 && done == SIZE, "read");
}

int main(void)
{
	struct stat st;

	fd = create("dst");
	every(100, handler);
	write_file();
	read_file();
	no_more();
	must(calls > 6, "the timer never came");
	must(stat("said", &st) == 0 && st.st_size == 8 * said, "what the handler wrote");
	must_close(fd);
	return 0;
}
