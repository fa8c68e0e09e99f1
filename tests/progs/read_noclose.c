/* read_noclose.c - a file that is still open when main returns has left the cache. */
#include "prog.h"

int main(void)
{
	read_all(open_src());
	return 0;
}
