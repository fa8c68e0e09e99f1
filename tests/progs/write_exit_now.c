/* write_exit_now.c - _exit with a written file open: it has left the cache. */
#include "prog.h"

int main(void)
{
	write_some(create("dst"), 0, SIZE + 4321);
	_exit(0);
}
