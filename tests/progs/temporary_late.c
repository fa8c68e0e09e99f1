/* temporary_late.c - mkstemp, write, close, rename at once: the renamed file is not cached. */
#include "prog.h"

int main(void)
{
	char name[] = "tmp.XXXXXX";
	int fd = mkstemp(name);

	must(fd >= 0, "mkstemp");
	write_some(fd, 0, SIZE);
	must_close(fd);
	must(rename(name, "dst") == 0, "rename");
	return 0;
}
