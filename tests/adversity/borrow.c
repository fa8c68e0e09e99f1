/* borrow.c - children that share memory, descriptors or both with their parent stream the same
 * files: vfork, posix_spawn with file actions, clone. Nothing of theirs stays. */
#include "adversity.h"

#include <sched.h>
#include <spawn.h>

extern char **environ;

enum { STACK = 256 * 1024, LEFT = 50 };

static char stack[STACK] __attribute__((aligned(16)));
static int in, out;

/* A file that is not closed: in a shared table it stays, and nothing else does. */
static void leave_one_open(void)
{
	int own = open("src", O_RDONLY);

	must(own >= 0 && dup2(own, LEFT) == LEFT && close(own) == 0, "dup2");
	read_some(LEFT, 0, SIZE / 2);
}

/* In a child: the second quarter of what the parent has open. */
static int stream(void *unused)
{
	(void)unused;
	read_some(in, SIZE / 4, SIZE / 4);
	write_some(out, SIZE / 4, SIZE / 4);
	move_all("dst.child");
	leave_one_open();
	return 0;
}

static void begin(void)
{
	in = open_src();
	out = create("dst");
	read_some(in, 0, SIZE / 4);
	write_some(out, 0, SIZE / 4);
}

static void end(void)
{
	read_some(in, SIZE / 2, SIZE / 2);
	write_some(out, SIZE / 2, SIZE / 2);
	must_close(in);
	must_close(out);
	must_hold("dst", SIZE);
}

static void by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		stream(NULL);
		_exit(0);
	}
	must_reap(pid);
}

static void by_clone(int flags)
{
	must_reap(clone(stream, stack + STACK, flags | SIGCHLD, NULL));
}

/* cat(1) with the files at its 0 and 1, and every other number closed. */
static void by_spawn(void)
{
	posix_spawn_file_actions_t actions;
	char *argv[] = {"head", "-c", "2097152", NULL};
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_addopen(&actions, 7, "dst.child", O_WRONLY | O_CREAT, ANY_MODE);
	for (int fd = 8; fd < 1024; fd++)
		posix_spawn_file_actions_addclose(&actions, fd);
	must(posix_spawnp(&pid, "head", &actions, NULL, argv, environ) == 0, "posix_spawnp");
	must_reap(pid);
	posix_spawn_file_actions_destroy(&actions);
	/* head(1) reads more than it writes, and may or may not put it back */
	must(lseek(in, SIZE / 2, SEEK_SET) == SIZE / 2, "lseek");
}

static void by_way(int way)
{
	begin();
	switch (way) {
	case 0:
		by_vfork();
		break;
	case 1:
		by_spawn();
		break;
	case 2:
		by_clone(CLONE_VM | CLONE_VFORK);
		break;
	case 3:
		by_clone(CLONE_VM | CLONE_VFORK | CLONE_FILES);
		break;
	case 4:
		by_clone(CLONE_FILES);
		break;
	}
	end();
}

int main(void)
{
	for (int way = 0; way < 5; way++) {
		int fds = descriptors();

		by_way(way);
		must((close(LEFT) == 0) == (way == 3 || way == 4), "what the child left open");
		if (descriptors() != fds)
			dprintf(2, "way %d: ", way);
		must(descriptors() == fds, "descriptors are left");
	}
	return 0;
}
