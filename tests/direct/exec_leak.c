/* exec_leak.c - a program started while files stream inherits no descriptor but the program's. */
#include "../progs/prog.h"

#include <dirent.h>

static int list(int inherited)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	must(dir != NULL, "opendir");
	while ((entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd > 2 && fd != dirfd(dir))
			must(fd == inherited, "an inherited descriptor");
	}
	must(lseek(inherited, 0, SEEK_CUR) == SIZE / 2, "offset");
	read_some(inherited, SIZE / 2, SIZE / 2);
	return 0;
}

static void run(char **argv, int fd)
{
	char number[16];

	snprintf(number, sizeof number, "%d", fd);
	execl("/proc/self/exe", argv[0], number, (char *)NULL);
	must(0, "execl");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return list(atoi(argv[1]));
	close_range(3, ~0U, 0);

	int fd = open_src(), out = open("dst", O_RDWR | O_CREAT | O_CLOEXEC, ANY_MODE);
	pid_t pid;

	write_some(out, 0, SIZE);
	read_some(fd, 0, SIZE / 2);
	pid = fork();
	if (pid == 0)
		run(argv, fd);
	must_reap(pid);
	must(lseek(fd, SIZE / 2, SEEK_SET) == SIZE / 2, "lseek");
	read_some(fd, SIZE / 2, 1 << 20);
	must(lseek(fd, SIZE / 2, SEEK_SET) == SIZE / 2, "lseek");
	run(argv, fd);
}
