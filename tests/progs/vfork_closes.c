/* vfork_closes.c - a vfork child's close leaves the parent's descriptor and its file managed. */
#include "prog.h"

int main(void)
{
	int fd = open_src();

	read_some(fd, 0, SIZE / 2);
	pid_t pid = vfork();

	if (pid == 0) {
		close(fd);
		_exit(0);
	}
	must_reap(pid);
	must(lseek(fd, 0, SEEK_CUR) == SIZE / 2, "offset");
	read_some(fd, SIZE / 2, SIZE / 2);
	must_close(fd);
	return 0;
}
