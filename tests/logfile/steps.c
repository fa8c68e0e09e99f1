/*
 * steps.c - a program that reads src twice, and between the two does what WORD says: steps WORD.
 * Each time it opens src, reads 300,000 bytes and closes it. It says nothing, and ends with 0 where
 * all went as without a log.
 */
#include "../progs/prog.h"

#include <grp.h>

enum { SOME = 300000, NOBODY = 65534, CROWD = 64, TIMES = 40 };

static void step(void)
{
	int fd = open_src();

	read_some(fd, 0, SOME);
	must_close(fd);
}

/* src is there in the new root, too. */
static void change_root(void)
{
	must(chroot("jail") == 0 && chdir("/") == 0, "chroot");
}

static void drop_privilege(void)
{
	must(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0, "setuid");
}

/* Says that it has come so far, and goes on when told to. */
static void wait_for_word(void)
{
	char byte;

	must(write(1, "x", 1) == 1 && read(0, &byte, 1) == 1, "word");
}

static void close_all(void)
{
	must(close_range(2, ~0U, 0) == 0, "close_range");
}

static void fork_once(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		step();
		_exit(0);
	}
	must_reap(pid);
}

/* Many processes write their records at the same time. */
static void crowd(void)
{
	int ends[2];
	char byte;

	must(pipe(ends) == 0, "pipe");
	for (int i = 0; i < CROWD; i++)
		if (fork() == 0) {
			must(close(ends[1]) == 0 && read(ends[0], &byte, 1) == 0, "start");
			for (int j = 0; j < TIMES; j++) {
				int fd = open_src();

				read_some(fd, 0, 1000 + j);
				must_close(fd);
			}
			_exit(0);
		}
	must(close(ends[1]) == 0, "close");
	for (int i = 0, status; i < CROWD; i++)
		must(wait(&status) > 0 && status == 0, "child");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*act)(void);
	} acts[] = {{"chroot", change_root}, {"setuid", drop_privilege}, {"wait", wait_for_word},
		    {"closes", close_all},   {"fork", fork_once},        {"crowd", crowd}};

	step();
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		if (argc > 1 && strcmp(argv[1], acts[i].word) == 0)
			acts[i].act();
	step();
	return 0;
}
