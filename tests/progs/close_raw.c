/* close_raw.c - syscall(SYS_close) frees the number; old and new file are right and dropped. */
#include "prog.h"

#include <sys/syscall.h>

int main(void)
{
	int fd = open_src();

	read_some(fd, 0, SIZE / 2);
	must(syscall(SYS_close, fd) == 0, "close");
	must_fail(close(fd), EBADF, "closed twice");
	must(open_src() == fd, "number");
	read_all(fd);
	must(syscall(SYS_close, fd) == 0, "close");
	return 0;
}
