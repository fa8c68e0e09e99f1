/* open_raw.c - a file opened by syscall(SYS_openat) is seen at its first read and dropped. */
#include "prog.h"

#include <sys/syscall.h>

int main(void)
{
	int fd = syscall(SYS_openat, AT_FDCWD, "src", O_RDONLY, 0);

	must(fd >= 0, "openat");
	read_all(fd);
	must_close(fd);
	return 0;
}
