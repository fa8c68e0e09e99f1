/* dup_before.c - a dup shares the offset and outlives the original; then all is dropped. */
#include "prog.h"

int main(void)
{
	int fd = open_src(), copy = dup(fd);

	must(copy > fd, "dup");
	read_some(fd, 0, SIZE / 2);
	must(lseek(copy, 0, SEEK_CUR) == SIZE / 2, "offset is not shared");
	must_close(fd);
	read_some(copy, SIZE / 2, SIZE / 2);
	must_close(copy);
	return 0;
}
