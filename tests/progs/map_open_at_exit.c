/* map_open_at_exit.c - exit with a private mapping and its descriptor: nothing stays cached. */
#include "prog.h"

#include <sys/mman.h>

int main(void)
{
	void *map = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, open_src(), 0);

	must(map != MAP_FAILED, "mmap");
	must_match(map, SIZE, 0);
	return 0;
}
