/* timer.c - a signal handler reads from the descriptor that is being read: each byte comes once. */
#include "../progs/prog.h"

#include <sys/time.h>

enum { UNIT = 4096, LEN = 128 << 10, PASSES = 12 };

/* The inverse, modulo 2 to the 64, of the pattern's factor. */
static const uint64_t inverse = UINT64_C(0xF1DE83E19937733D);
static unsigned char seen[SIZE / UNIT], in_handler[UNIT], in_main[LEN];
static volatile sig_atomic_t calls;
static int fd;

static void mark(const unsigned char *p, ssize_t n)
{
	uint64_t word, at;

	must(n >= 0 && n % UNIT == 0, "count");
	if (n == 0)
		return;
	memcpy(&word, p, 8);
	at = (word * inverse - 1) * 8;
	must(at % UNIT == 0 && at + n <= SIZE, "not a piece of the file");
	must_match(p, n, at);
	for (ssize_t i = 0; i < n / UNIT; i++)
		must(seen[at / UNIT + i]++ == 0, "read twice");
}

static void handler(int unused)
{
	int saved = errno;

	(void)unused;
	mark(in_handler, read(fd, in_handler, UNIT));
	calls++;
	errno = saved;
}

static void arm(long microseconds)
{
	struct itimerval every = {{0, microseconds}, {0, microseconds}};

	must(setitimer(ITIMER_REAL, &every, NULL) == 0, "setitimer");
}

static void pass(size_t len)
{
	ssize_t n;

	memset(seen, 0, sizeof seen);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	arm(300);
	while ((n = read(fd, in_main, len)) > 0)
		mark(in_main, n);
	arm(0);
	must(n == 0 && !memchr(seen, 0, sizeof seen), "a piece was missed");
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	must(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
	fd = open_src();
	for (int i = 0; i < PASSES; i++)
		pass(i % 2 ? LEN : UNIT);
	must(calls > 0, "the timer never came");
	must_close(fd);
	return 0;
}
