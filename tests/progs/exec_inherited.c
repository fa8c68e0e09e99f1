/* exec_inherited.c - an exec'd program reads stdin and writes stdout that it inherited: dropped. */
#include "prog.h"

static int child(void)
{
	read_all(0);
	write_some(1, SIZE / 4, SIZE / 4 * 3);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return child();
	pid_t pid = fork();

	if (pid == 0) {
		must(dup2(open_src(), 0) == 0 && dup2(create("dst"), 1) == 1, "dup2");
		write_some(1, 0, SIZE / 4);
		closefrom(3);
		execl("/proc/self/exe", argv[0], "child", (char *)NULL);
		_exit(1);
	}
	must_reap(pid);
	must_hold("dst", SIZE);
	return 0;
}
