/* dup2_over.c - dup2 and dup3 over a read file close it: it has left the cache. */
#include "prog.h"

int main(void)
{
	int null = open("/dev/null", O_RDONLY), fd = open_src();
	char more;

	read_all(fd);
	must(dup2(null, fd) == fd, "dup2");
	must(read(fd, &more, 1) == 0, "still the old file");
	must_close(fd);
	must(open_src() == fd, "number");
	read_all(fd);
	must(dup3(null, fd, 0) == fd, "dup3");
	return 0;
}
