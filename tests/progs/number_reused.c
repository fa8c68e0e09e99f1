/* number_reused.c - a number closed and reopened behind the shim's back reads the new file. */
#include "prog.h"

#include <sys/syscall.h>

int main(void)
{
	int fd = create("dst"), other;

	write_some(fd, 0, 3 << 20);
	must(syscall(SYS_close, fd) == 0, "close");
	other = syscall(SYS_openat, AT_FDCWD, "src", O_RDONLY, 0);
	must(other == fd, "number");
	read_all(fd);
	must_fail(write(fd, "x", 1), EBADF, "write to a file that is open for reading");
	must_close(fd);
	must_hold("dst", 3 << 20);
	return 0;
}
