/* open_openat2.c - a file opened by openat2, which libc has no name for, is dropped too. */
#include "prog.h"

#include <linux/openat2.h>
#include <sys/syscall.h>

int main(void)
{
	struct open_how how = {.flags = O_RDONLY};
	int fd = syscall(SYS_openat2, AT_FDCWD, "src", &how, sizeof how);

	if (fd < 0 && errno == ENOSYS)
		cannot("no openat2");
	must(fd >= 0, "openat2");
	read_all(fd);
	must_close(fd);
	return 0;
}
