/* spawn.c - runs oracle-run on one side, with an end to its time. */
#include "diff.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void redirect(const struct trial *t, int side)
{
	int in = open("/dev/null", O_RDONLY);
	int out = open(side_path(t, side, ".err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	close(in);
	close(out);
}

static void environment(const struct trial *t, int side)
{
	char rules[256];

	unsetenv("LD_PRELOAD");
	if (side == SIDE_BARE || !t->lib)
		return;
	snprintf(rules, sizeof(rules), "* %s", t->policy);
	setenv("NOCACHE_RULES", rules, 1);
	setenv("LD_PRELOAD", t->lib, 1);
}

static void become(const struct trial *t, int side)
{
	char directory[4200], list[4200], seed[32], count[32], *argv[16];
	int n = 0;

	snprintf(directory, sizeof(directory), "%s", side_path(t, side, ""));
	snprintf(list, sizeof(list), "%s/list", t->work);
	snprintf(seed, sizeof(seed), "%llu", t->seed);
	snprintf(count, sizeof(count), "%zu", t->count);
	argv[n++] = (char *)t->program;
	argv[n++] = "-d";
	argv[n++] = directory;
	argv[n++] = "-t";
	argv[n++] = (char *)side_path(t, side, ".trace");
	argv[n++] = t->list ? "-l" : "-s";
	argv[n++] = t->list ? list : seed;
	argv[n++] = "-n";
	argv[n++] = count;
	if (t->lenient)
		argv[n++] = side == SIDE_BARE || !t->lib ? "-B" : "-b";
	if (t->holes)
		argv[n++] = "-h";
	if (strstr(t->policy, "relaxed"))
		argv[n++] = "-q";
	argv[n] = NULL;
	execv(t->program, argv);
	_exit(127);
}

static int wait_until(pid_t pid, int seconds)
{
	struct timespec left = {.tv_sec = seconds};
	sigset_t child;
	int status;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (waitpid(pid, &status, WNOHANG) == 0)
		if (sigtimedwait(&child, NULL, &left) < 0 && errno == EAGAIN) {
			kill(-pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
	kill(-pid, SIGKILL);
	return status;
}

int spawn_side(const struct trial *t, int side)
{
	sigset_t child, before;
	pid_t pid;
	int status;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &before, NULL);
		redirect(t, side);
		environment(t, side);
		become(t, side);
	}
	setpgid(pid, pid);
	status = wait_until(pid, t->seconds);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
