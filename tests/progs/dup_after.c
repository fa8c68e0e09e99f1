/* dup_after.c - a dup made after reading keeps the file open; the last close drops it. */
#include "prog.h"

int main(void)
{
	int fd = open_src(), copy;

	read_all(fd);
	copy = dup(fd);
	must_close(fd);
	must(lseek(copy, 0, SEEK_CUR) == SIZE, "offset");
	must_close(copy);
	return 0;
}
