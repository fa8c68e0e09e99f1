/* fork_child_exits.c - a child calls exit() while the parent still reads: the parent reads on. */
#include "prog.h"

int main(void)
{
	int fd = open_src();

	read_some(fd, 0, SIZE / 2);
	pid_t pid = fork();

	if (pid == 0)
		exit(0);
	must_reap(pid);
	read_some(fd, SIZE / 2, SIZE / 2);
	must_close(fd);
	return 0;
}
