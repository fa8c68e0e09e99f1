/* dup2_self.c - dup2 of a descriptor onto itself changes nothing; dup3 says EINVAL. */
#include "prog.h"

int main(void)
{
	int fd = open_src();

	read_some(fd, 0, SIZE / 2);
	must(dup2(fd, fd) == fd, "dup2");
	must_fail(dup3(fd, fd, 0), EINVAL, "dup3");
	read_some(fd, SIZE / 2, SIZE / 2);
	must_close(fd);
	must_fail(dup2(fd, fd), EBADF, "dup2 of a closed one");
	return 0;
}
