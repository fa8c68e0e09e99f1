/* memory.c - 64 files streamed at once take at most 64 MiB of memory, given back at the close. */
#include "../progs/prog.h"

enum { FILES = 64, LENGTH = 8 << 20, PIECE = 128 << 10, CAP = 64 << 10, SLACK = 4 << 10 };

static int fd[FILES];

/* KiB of physical memory, huge pages included. */
static long held(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long sum = 0, value;

	must(status != NULL, "/proc/self/status");
	while (fgets(line, sizeof line, status))
		if (sscanf(line, "VmRSS: %ld", &value) == 1 ||
		    sscanf(line, "HugetlbPages: %ld", &value) == 1)
			sum += value;
	fclose(status);
	return sum;
}

static void open_all(void)
{
	char name[32];

	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof name, "many.%d", i);
		fd[i] = open(name, O_RDWR | O_CREAT, ANY_MODE);
		must(fd[i] >= 0 && ftruncate(fd[i], LENGTH) == 0, "create");
		must(close(fd[i]) == 0 && (fd[i] = open(name, O_RDONLY)) >= 0, "open");
	}
}

static void at_most(long limit, const char *when)
{
	long now = held();

	if (now > limit)
		dprintf(2, "%ld KiB %s, at most %ld\n", now, when, limit);
	if (now > limit)
		_exit(1);
}

int main(void)
{
	static char piece[PIECE];
	long before;

	memset(piece, 1, sizeof piece);
	open_all();
	held();
	before = held();
	for (int n = 0; n < LENGTH / PIECE; n++) {
		for (int i = 0; i < FILES; i++)
			must(read(fd[i], piece, PIECE) == PIECE, "read");
		at_most(before + CAP + SLACK, "while streaming");
	}
	for (int i = 0; i < FILES; i++)
		must_close(fd[i]);
	at_most(before + SLACK, "after the close");
	return 0;
}
