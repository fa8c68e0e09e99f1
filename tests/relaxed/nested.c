/*
 * nested.c - signal handlers that come in the middle of a tiny request: nested
 * {write|read|sync|seek|jump|off}. The requests of both are there, whole, once, and each side's in
 * order.
 */
#include "relaxed.h"

#include <setjmp.h>
#include <sys/time.h>

enum { RECORD = 48, RECORDS = 400000, HANDLED = 3000 };

static int fd;
static const char *how;
static volatile unsigned handled, calls;
static unsigned char taken[(RECORDS + HANDLED) * 2];
static sigjmp_buf back;
static volatile int may_jump;

/* A record tells who wrote it, as his how manieth, and is itself a check of being whole. */
static void record(unsigned *r, unsigned who, unsigned number)
{
	for (int i = 0; i < RECORD / 4; i += 2) {
		r[i] = number;
		r[i + 1] = number * 2654435761u + who + i;
	}
}

static int is_whole(const unsigned *r, unsigned who)
{
	unsigned expected[RECORD / 4];

	record(expected, who, r[0]);
	return !memcmp(expected, r, RECORD);
}

static void put(unsigned who, unsigned number)
{
	unsigned r[RECORD / 4];

	record(r, who, number);
	must(write(fd, r, RECORD) == RECORD, "write");
}

static void get(void)
{
	unsigned r[RECORD / 4];

	must(read(fd, r, RECORD) == RECORD && is_whole(r, 1), "a record is not whole");
	must(r[0] < sizeof(taken) && !taken[r[0]]++, "a record came twice");
}

static void handler(int signal)
{
	static long long last;
	long long at;

	(void)signal;
	if (handled >= HANDLED)
		return;
	handled++;
	if (!strcmp(how, "write") || !strcmp(how, "jump"))
		put(2, handled);
	if (!strcmp(how, "read"))
		get();
	if (!strcmp(how, "sync"))
		must(fdatasync(fd) == 0, "fdatasync");
	if (!strcmp(how, "seek")) {
		at = lseek(fd, 0, SEEK_CUR);
		must(at >= last && at % RECORD == 0, "the offset went back, or into a record");
		last = at;
	}
	if (!strcmp(how, "jump") && may_jump)
		siglongjmp(back, 1);
}

static void start_timer(void)
{
	struct itimerval often = {{0, 30}, {0, 30}};
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

static void stop_timer(void)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN);
}

/* Both sides' records, each once and in order; of one that was jumped out of, nobody knows. */
static void check(unsigned mine)
{
	unsigned r[RECORD / 4], next[3] = {0, 0, 1}, who;
	int jumps = !strcmp(how, "jump");

	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	while (read(fd, r, RECORD) == RECORD) {
		who = is_whole(r, 1) ? 1 : 2;
		must(is_whole(r, who), "a record is not whole");
		must(r[0] == next[who] || (jumps && who == 1 && r[0] >= next[1]),
		     "a record is lost or came twice");
		next[who] = r[0] + 1;
	}
	must(next[1] == mine || jumps, "records are lost");
	if (!strcmp(how, "write") || jumps)
		must(next[2] == handled + 1, "the handler's records are lost");
}

static void write_all(void)
{
	volatile unsigned i = 0;

	fd = open("dst", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);
	start_timer();
	for (; i < RECORDS && handled < HANDLED; i++) {
		if (!strcmp(how, "jump") && sigsetjmp(back, 1))
			continue;
		may_jump = 1;
		put(1, i);
		may_jump = 0;
	}
	stop_timer();
	check(i);
}

static void read_all_of(void)
{
	fd = open("dst", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);
	for (unsigned i = 0; i < RECORDS + HANDLED; i++)
		put(1, i);
	must(fdatasync(fd) == 0 && lseek(fd, 0, SEEK_SET) == 0, "lseek");
	start_timer();
	for (calls = 0; calls < RECORDS; calls++)
		get();
	stop_timer();
	for (unsigned i = 0; i < RECORDS + handled; i++)
		must(taken[i] == 1, "a record is lost");
}

int main(int argc, char **argv)
{
	how = argc > 1 ? argv[1] : "write";
	if (!strcmp(how, "read"))
		read_all_of();
	else
		write_all();
	return 0;
}
