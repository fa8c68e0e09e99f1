/* map_stored_at_exit.c - stores to a mapping that is there at exit are kept, and not cached. */
#include "prog.h"

#include <sys/mman.h>

int main(void)
{
	int fd = create("dst");

	must(ftruncate(fd, SIZE) == 0, "ftruncate");
	unsigned char *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	must(map != MAP_FAILED, "mmap");
	must_close(fd);
	pattern_fill(map, SIZE, 0);
	return 0;
}
