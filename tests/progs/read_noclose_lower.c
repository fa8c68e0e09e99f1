/* read_noclose_lower.c - a file left open below a later, higher descriptor has left the cache. */
#include "prog.h"

int main(void)
{
	int fd = open_src();

	must(open("/dev/null", O_RDONLY) > fd, "open /dev/null");
	must(dup2(0, 200) == 200, "dup2");
	read_all(fd);
	return 0;
}
