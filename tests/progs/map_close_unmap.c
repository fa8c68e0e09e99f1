/* map_close_unmap.c - mmap, close, munmap: nothing stays cached. */
#include "prog.h"

#include <sys/mman.h>

int main(void)
{
	int fd = open_src();
	void *map = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);

	must(map != MAP_FAILED, "mmap");
	must_close(fd);
	must_match(map, SIZE, 0);
	must(munmap(map, SIZE) == 0, "munmap");
	return 0;
}
