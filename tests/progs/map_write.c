/* map_write.c - stores to a shared mapping and writes to the same file are both kept.
 * leaves: any */
#include "prog.h"

#include <sys/mman.h>

int main(void)
{
	int fd = create("dst");

	must(ftruncate(fd, SIZE) == 0, "ftruncate");
	unsigned char *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	must(map != MAP_FAILED, "mmap");
	write_some(fd, 0, SIZE / 2 + 10);
	must_match(map, SIZE / 2 + 10, 0);
	pattern_fill(map + SIZE / 2 + 10, SIZE / 2 - 10, SIZE / 2 + 10);
	must(lseek(fd, SIZE / 2, SEEK_SET) == SIZE / 2, "lseek");
	read_some(fd, SIZE / 2, SIZE / 2);
	must(munmap(map, SIZE) == 0, "munmap");
	must_close(fd);
	must_hold("dst", SIZE);
	return 0;
}
