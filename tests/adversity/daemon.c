/* daemon.c - a process that forks twice, closes every number, the standard ones too, and goes on
 * with files at 0, 1 and 2. */
#include "adversity.h"

static void by_loop(void)
{
	for (int fd = 0; fd < 1100; fd++)
		close(fd);
}

static void by_range(void)
{
	close_range(0, ~0U, 0);
}

static void by_raw_range(void)
{
	syscall(SYS_close_range, 0, ~0U, 0);
}

static void by_from(void)
{
	closefrom(0);
}

/* No message can be seen from here. */
static void go_on(int in, int out)
{
	read_some(in, 0, SIZE);
	write_some(out, 0, SIZE);
	if (open("said", O_WRONLY | O_CREAT, ANY_MODE) != 2 || write(2, "right\n", 6) != 6)
		_exit(1);
}

static void serve(void (*close_all)(void), const char *name)
{
	int in = open_src(), out = create(name);

	read_some(in, 0, SIZE / 2);
	write_some(out, 0, SIZE / 2);
	close_all();
	if (open("src", O_RDONLY) != 0 || open(name, O_RDWR | O_TRUNC) != 1)
		_exit(1);
	go_on(0, 1);
	close_all();
	_exit(close(0) == -1 && errno == EBADF ? 0 : 1);
}

static void daemonize(void (*close_all)(void), const char *name)
{
	pid_t pid = fork(), second;
	int status;

	if (pid == 0) {
		setsid();
		second = fork();
		if (second == 0)
			serve(close_all, name);
		_exit(waitpid(second, &status, 0) == second && status == 0 ? 0 : 1);
	}
	must_reap(pid);
	must(access("said", F_OK) == 0, "the daemon said nothing");
	unlink("said");
	must_hold(name, SIZE);
}

int main(void)
{
	daemonize(by_loop, "dst.loop");
	daemonize(by_range, "dst.range");
	daemonize(by_raw_range, "dst.raw");
	daemonize(by_from, "dst.from");
	return 0;
}
