/* read_exit_now.c - _exit with a file open: it has left the cache. */
#include "prog.h"

int main(void)
{
	read_all(open_src());
	_exit(0);
}
