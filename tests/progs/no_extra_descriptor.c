/* no_extra_descriptor.c - files in use occupy no number but their own, and nothing is inherited. */
#include "prog.h"

#include <dirent.h>

/* No number below 256 may be open but 0, 1, 2 and those given. */
static void must_be_free_but(int one, int other)
{
	for (int i = 3; i < 256; i++)
		if (i != one && i != other)
			must_fail(fcntl(i, F_GETFD), EBADF, "a foreign descriptor");
}

/* In a fresh program: nothing but 0, 1, 2 and the listing itself. */
static int list(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int known = dir ? dirfd(dir) : -1;

	must(dir != NULL, "opendir");
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) > 2)
			must(atoi(entry->d_name) == known, "an inherited descriptor");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return list();
	for (int i = 3; i < 256; i++)
		close(i);
	int fd = open_src(), out = create("dst"), next;

	must(fd == 3 && out == 4, "not the lowest numbers");
	read_some(fd, 0, SIZE / 2);
	write_some(out, 0, SIZE / 2);
	must_be_free_but(fd, out);
	next = dup(fd);
	must(next == 5, "not the lowest number");
	must_close(next);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(out, F_SETFD, FD_CLOEXEC);
	pid_t pid = fork();

	if (pid == 0) {
		execl("/proc/self/exe", argv[0], "list", (char *)NULL);
		_exit(1);
	}
	must_reap(pid);
	must_close(fd);
	must_close(out);
	must_be_free_but(-1, -1);
	return 0;
}
