/* alternate.c - a child and a duplicate read on, in turns, where the other one stopped. */
#include "../progs/prog.h"

enum { STEP = (1 << 20) + 4096, TURNS = 14 };

/* What comes from each is what the offset says; both ends of the pipes pass the turn on. */
static void read_in_turns(int fd, int first, int from, int to)
{
	char turn = 0;

	for (int i = 0; i < TURNS; i++) {
		if ((i % 2 == 0) != first)
			continue;
		must(i == 0 || read(from, &turn, 1) == 1, "pipe");
		must(lseek(fd, 0, SEEK_CUR) == (off_t)i * STEP, "offset");
		read_some(fd, (uint64_t)i * STEP, STEP);
		must(write(to, &turn, 1) == 1, "pipe");
	}
}

static void by_fork(void)
{
	int fd = open_src(), there[2], back[2];
	pid_t pid;

	must(pipe(there) == 0 && pipe(back) == 0, "pipe");
	pid = fork();
	if (pid == 0) {
		read_in_turns(fd, 0, there[0], back[1]);
		_exit(0);
	}
	read_in_turns(fd, 1, back[0], there[1]);
	must_reap(pid);
	read_some(fd, (uint64_t)TURNS * STEP, SIZE - TURNS * STEP);
	must_close(fd);
}

static void by_dup(void)
{
	int fd[2] = {open_src(), -1};

	fd[1] = dup(fd[0]);
	must(fd[1] >= 0, "dup");
	for (int i = 0; i < TURNS; i++)
		read_some(fd[i % 2], (uint64_t)i * STEP, STEP);
	must_close(fd[0]);
	read_some(fd[1], (uint64_t)TURNS * STEP, SIZE - TURNS * STEP);
	must_close(fd[1]);
}

int main(void)
{
	by_fork();
	by_dup();
	return 0;
}
