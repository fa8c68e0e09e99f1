/* chain.c - a program executes itself again and again, in the middle of its files: each link takes
 * them over where the one before left them, by execve, posix_spawn and vfork in turn. */
#include "adversity.h"

#include <spawn.h>

extern char **environ;

enum { LINKS = 9, STEP = 900001 };

static void exec_next(char **argv)
{
	execv("/proc/self/exe", argv);
	_exit(127);
}

static void spawn_next(char **argv)
{
	pid_t pid;

	must(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) == 0, "posix_spawn");
	must_reap(pid);
}

static void vfork_next(char **argv)
{
	pid_t pid = vfork();

	if (pid == 0)
		exec_next(argv);
	must_reap(pid);
}

static void go_on(char *name, int link, int in, int out, int fds)
{
	char number[4][16];
	char *argv[] = {name, number[0], number[1], number[2], number[3], NULL};

	snprintf(number[0], 16, "%d", link + 1);
	snprintf(number[1], 16, "%d", in);
	snprintf(number[2], 16, "%d", out);
	snprintf(number[3], 16, "%d", fds);
	if (link % 3 == 0)
		spawn_next(argv);
	else if (link % 3 == 1)
		vfork_next(argv);
	else
		exec_next(argv);
}

int main(int argc, char **argv)
{
	int link = argc > 1 ? atoi(argv[1]) : 0;
	int in = argc > 1 ? atoi(argv[2]) : open_src();
	int out = argc > 1 ? atoi(argv[3]) : create("dst");
	int fds = descriptors();

	must(link == 0 || fds == atoi(argv[4]), "descriptors at the start");
	read_some(in, (uint64_t)link * STEP, STEP);
	write_some(out, (uint64_t)link * STEP, STEP);
	if (link < LINKS - 1)
		go_on(argv[0], link, in, out, fds);
	must(lseek(in, 0, SEEK_CUR) == LINKS * STEP, "offset");
	if (link == 0)
		must_hold("dst", LINKS * STEP);
	return 0;
}
