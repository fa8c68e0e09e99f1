/* map_still_mapped.c - mmap, close, exit: right bytes, and nothing stays cached. */
#include "prog.h"

#include <sys/mman.h>

int main(void)
{
	int fd = open_src();
	void *map = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);

	must(map != MAP_FAILED, "mmap");
	must_close(fd);
	must_match(map, SIZE, 0);
	return 0;
}
