/* loop.c - repeats one cheap thing, so that two runs of different length show its cost:
 * loop zero|null|pair|read|dup|fork|memory N [FILE]. A SIGWINCH, which nobody minds, marks start
 * and end of the last half for a tracer: what is done at the first call is not in it. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *file;
static int zero, null;
static char byte;

static int read_zero(void)
{
	return read(zero, &byte, 1) == 1;
}

static int write_null(void)
{
	return write(null, &byte, 1) == 1;
}

static int open_close(void)
{
	int fd = open(file, O_RDONLY);

	return fd >= 0 && close(fd) == 0;
}

static int open_read_close(void)
{
	static char buffer[65536];
	int fd = open(file, O_RDONLY);

	return fd >= 0 && read(fd, buffer, sizeof buffer) > 0 && close(fd) == 0;
}

static int dup_close(void)
{
	return close(dup(null)) == 0;
}

static int fork_wait(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return waitpid(pid, &status, 0) == pid && status == 0;
}

/* Prints the KiB of memory that this process alone holds and has written. */
static int memory(void)
{
	static char text[4096];
	int fd = open("/proc/self/smaps_rollup", O_RDONLY);
	char *found = fd >= 0 && read(fd, text, sizeof text - 1) > 0
			      ? strstr(text, "Private_Dirty:")
			      : NULL;

	return found && printf("%ld\n", atol(found + strlen("Private_Dirty:"))) > 0;
}

static const struct {
	const char *name;
	int (*once)(void);
} things[] = {
	{"zero", read_zero}, {"null", write_null}, {"pair", open_close}, {"read", open_read_close},
	{"dup", dup_close},  {"fork", fork_wait},  {"memory", memory},
};

static int repeat(int (*once)(void), long n)
{
	while (n-- > 0)
		if (!once())
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	file = argc > 3 ? argv[3] : "/dev/null";
	for (size_t i = 0; argc > 2 && i < sizeof things / sizeof *things; i++) {
		if (strcmp(things[i].name, argv[1]))
			continue;
		long half = atol(argv[2]) / 2;

		if (!repeat(things[i].once, atol(argv[2]) - half))
			return 1;
		raise(SIGWINCH);
		if (!repeat(things[i].once, half))
			return 1;
		raise(SIGWINCH);
		return 0;
	}
	return 2;
}
