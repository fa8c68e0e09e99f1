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
		side_become(t, side, NULL);
	}
	setpgid(pid, pid);
	status = wait_until(pid, t->seconds);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
