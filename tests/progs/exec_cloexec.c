/* exec_cloexec.c - exec closes an O_CLOEXEC descriptor: the file has left the cache. */
#include "prog.h"

int main(void)
{
	int fd = open("src", O_RDONLY | O_CLOEXEC);

	must(fd >= 0, "open");
	read_all(fd);
	execl("/bin/true", "true", (char *)NULL);
	must(0, "exec");
}
