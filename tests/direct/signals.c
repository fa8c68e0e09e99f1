/* signals.c - no signal comes while a file is read that others open for writing all the time. */
#include "../progs/prog.h"

#include <sys/prctl.h>

enum { PASSES = 40 };

static volatile sig_atomic_t came;

static void handler(int number)
{
	came = number;
}

/* In a fresh program without the library. */
__attribute__((noreturn)) static void open_often(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		int fd = open("src", O_WRONLY);

		must(fd >= 0, "open for writing");
		close(fd);
		usleep(20);
	}
}

static pid_t start(char **argv)
{
	pid_t pid = fork();

	must(pid >= 0, "fork");
	if (pid > 0)
		return pid;
	unsetenv("LD_PRELOAD");
	execl("/proc/self/exe", argv[0], "open", (char *)NULL);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	pid_t pid;
	int status;

	if (argc > 1)
		open_often();
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &action, NULL);
	pid = start(argv);
	for (int i = 0; i < PASSES; i++) {
		int fd = open_src();

		read_all(fd);
		must_close(fd);
	}
	if (came)
		dprintf(2, "signal %d came\n", came);
	if (came)
		_exit(1);
	must(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid, "the writer ended");
	return 0;
}
