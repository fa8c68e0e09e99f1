/* spawn.c - posix_spawn with file actions: the child's stdin and stdout are right, and dropped. */
#include "prog.h"

#include <spawn.h>

extern char **environ;

int main(void)
{
	posix_spawn_file_actions_t actions;
	char *argv[] = {"cat", NULL};
	pid_t pid;

	must(posix_spawn_file_actions_init(&actions) == 0, "init");
	must(posix_spawn_file_actions_addopen(&actions, 0, "src", O_RDONLY, 0) == 0, "addopen");
	must(posix_spawn_file_actions_addopen(&actions, 1, "dst", O_WRONLY | O_CREAT, ANY_MODE) ==
		     0,
	     "addopen");
	must(posix_spawnp(&pid, "cat", &actions, NULL, argv, environ) == 0, "posix_spawnp");
	must_reap(pid);
	must_hold("dst", SIZE);
	return 0;
}
