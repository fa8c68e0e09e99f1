/* map_two_at_exit.c - one mapping goes, another is there at exit: nothing stays. */
#include "prog.h"

#include <sys/mman.h>

int main(void)
{
	int fd = open_src(), dst = create("dst");

	write_some(dst, 0, SIZE);
	void *first = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	void *second = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, dst, 0);

	must(first != MAP_FAILED && second != MAP_FAILED, "mmap");
	must_close(fd);
	must_close(dst);
	must_match(first, SIZE, 0);
	must_match(second, SIZE, 0);
	must(munmap(first, SIZE) == 0, "munmap");
	return 0;
}
