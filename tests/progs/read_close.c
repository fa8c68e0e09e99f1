/* read_close.c - a file that is read and closed has left the cache. */
#include "prog.h"

int main(void)
{
	int fd = open_src();

	read_all(fd);
	must_close(fd);
	return 0;
}
