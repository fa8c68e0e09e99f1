/* steps.c - counts the instructions that a program executes between two SIGWINCH of its own:
 * steps REPORT COMMAND... A system call is one instruction; without address randomization two runs
 * give the same count. */
#include <signal.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(char **command)
{
	pid_t pid = fork();

	if (pid == 0) {
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(command[0], command);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	long steps = 0, marks = 0;
	pid_t pid = argc > 2 ? start(argv + 2) : -1;
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 2;
	while (WIFSTOPPED(status)) {
		int sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);

		marks += sig == SIGWINCH;
		steps += marks == 1;
		if (ptrace(marks == 1 ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, NULL,
			   (void *)(long)sig) ||
		    waitpid(pid, &status, 0) != pid)
			return 77;
	}
	FILE *report = fopen(argv[1], "w");

	if (!report || fprintf(report, "%ld\n", steps) < 0 || fclose(report))
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
