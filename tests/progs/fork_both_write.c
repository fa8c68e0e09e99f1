/* fork_both_write.c - parent and child write in turn to one description: no gap, no overlap. */
#include "prog.h"

enum { TURN = 123457, TURNS = 40 };

int main(void)
{
	int fd = create("dst");

	for (int i = 0; i < TURNS; i += 2) {
		pid_t pid = fork();

		if (pid == 0) {
			write_some(fd, (uint64_t)i * TURN, TURN);
			_exit(0);
		}
		must_reap(pid);
		write_some(fd, (uint64_t)(i + 1) * TURN, TURN);
	}
	must_close(fd);
	must_hold("dst", TURN * TURNS);
	return 0;
}
