/* vfork_dup2s.c - a vfork child's dup2 over the parent's descriptor is the child's alone. */
#include "prog.h"

int main(void)
{
	int fd = open_src(), null = open("/dev/null", O_RDWR);

	read_some(fd, 0, SIZE / 2);
	pid_t pid = vfork();

	if (pid == 0) {
		dup2(null, fd);
		dup2(fd, 0);
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	must_reap(pid);
	read_some(fd, SIZE / 2, SIZE / 2);
	must_close(fd);
	return 0;
}
