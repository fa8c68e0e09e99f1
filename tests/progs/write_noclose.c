/* write_noclose.c - a written file still open when main returns has left the cache. */
#include "prog.h"

int main(void)
{
	write_some(create("dst"), 0, SIZE + 4321);
	return 0;
}
