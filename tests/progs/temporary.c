/* temporary.c - mkstemp, write, rename: the renamed file is right and not cached. */
#include "prog.h"

int main(void)
{
	char name[] = "tmp.XXXXXX";
	int fd = mkstemp(name);

	must(fd >= 0, "mkstemp");
	write_some(fd, 0, SIZE);
	must(rename(name, "dst") == 0, "rename");
	must_close(fd);
	must_hold("dst", SIZE);
	return 0;
}
