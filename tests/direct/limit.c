/* limit.c - writes that meet RLIMIT_FSIZE: counts, errno, signals and size. */
#include "../progs/prog.h"

#include <sys/resource.h>

enum { LIMIT = (3 << 20) + 1000, LEN = 8 << 20 };

static unsigned char buffer[LEN];
static volatile sig_atomic_t came;

static void handler(int unused)
{
	(void)unused;
	came++;
}

static void write_by(size_t block)
{
	int fd = create("dst");
	uint64_t at = 0;
	ssize_t n;

	came = 0;
	do {
		pattern_fill(buffer, block, at);
		errno = 0;
		n = write(fd, buffer, block);
		printf("%zu: %zd %d %d\n", block, n, errno, came);
		at += n > 0 ? n : 0;
	} while (n > 0);
	must(lseek(fd, 0, SEEK_END) == (off_t)at, "size");
	must_close(fd);
	must_hold("dst", at);
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler};
	struct rlimit limit = {LIMIT, LIMIT};

	sigaction(SIGXFSZ, &action, NULL);
	must(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
	write_by(1 << 20);
	write_by(LEN);
	write_by(300000);
	return 0;
}
