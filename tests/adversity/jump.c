/* jump.c - handlers leave write(2) and read(2) by siglongjmp(3): what the offset says was written,
 * or read by a large request, is there, nothing is left open, and everything goes on. */
#include "adversity.h"

#include <setjmp.h>

enum { LEN = 8 * MIB };

static const size_t blocks[] = {LEN, 1000, MIB, 100000, 4 * MIB};
static unsigned char buffer[LEN];
static sigjmp_buf away;
static volatile sig_atomic_t jumps, may_jump;

static void handler(int unused)
{
	(void)unused;
	if (!may_jump)
		return;
	may_jump = 0;
	jumps++;
	siglongjmp(away, 1);
}

static void write_on(int fd, size_t most)
{
	static int turn;
	off_t at = lseek(fd, 0, SEEK_CUR);
	size_t n = blocks[++turn % 5];

	n = n < SIZE - (size_t)at ? n : SIZE - (size_t)at;
	n = n < most ? n : most;
	pattern_fill(buffer, n, at);
	may_jump = 1;
	must(write(fd, buffer, n) == (ssize_t)n, "write");
	may_jump = 0;
}

static void write_by(size_t most)
{
	int fd = create("dst");

	sigsetjmp(away, 1);
	while (lseek(fd, 0, SEEK_CUR) < SIZE)
		write_on(fd, most);
	must_close(fd);
	must_hold("dst", SIZE);
}

static volatile off_t began;

static void read_on(int fd, size_t n)
{
	ssize_t got;

	began = lseek(fd, 0, SEEK_CUR);
	may_jump = 1;
	got = read(fd, buffer, n);
	may_jump = 0;
	must(got > 0, "read");
	must_match(buffer, got, began);
}

/* Of small requests libnocache(7), LIMITS, says what does not hold. */
static void read_by(size_t n)
{
	int fd = open_src();

	if (sigsetjmp(away, 1) && n == MIB)
		must_match(buffer, lseek(fd, 0, SEEK_CUR) - began, began);
	while (lseek(fd, 0, SEEK_CUR) < SIZE)
		read_on(fd, n);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_all(fd);
	must_close(fd);
}

static void read_and_leave_nothing(void)
{
	int before = descriptors();

	read_by(MIB);
	must(descriptors() == before, "a descriptor is left");
}

int main(void)
{
	int64_t start = now_us();

	every(300, handler);
	do {
		write_by(LEN);
		write_by(5000);
		read_and_leave_nothing();
		read_by(3000);
	} while (goes_on(start));
	no_more();
	must(jumps > 0, "nothing was interrupted");
	move_all("dst");
	return 0;
}
