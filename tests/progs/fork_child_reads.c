/* fork_child_reads.c - a child reads by the parent's descriptor, the parent closes: dropped. */
#include "prog.h"

int main(void)
{
	int fd = open_src();
	pid_t pid = fork();

	if (pid == 0) {
		read_all(fd);
		return 0;
	}
	must_reap(pid);
	must(lseek(fd, 0, SEEK_CUR) == SIZE, "offset is not shared");
	must_close(fd);
	return 0;
}
