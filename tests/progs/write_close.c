/* write_close.c - a file that is written and closed is right and has left the cache. */
#include "prog.h"

int main(void)
{
	int fd = create("dst");

	write_some(fd, 0, SIZE + 4321);
	must(lseek(fd, 0, SEEK_CUR) == SIZE + 4321, "offset");
	must_close(fd);
	must_hold("dst", SIZE + 4321);
	return 0;
}
