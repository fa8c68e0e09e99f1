/*
 * count.c - moves BYTES by SIZE at a time and does nothing else: count {read|write} FILE BYTES
 * SIZE.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int reads = argc > 4 && !strcmp(argv[1], "read");
	int fd = open(argv[2], reads ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0644);
	long bytes = atol(argv[3]), size = atol(argv[4]);
	static char some[65536];

	for (; bytes > 0; bytes -= size)
		if ((reads ? read(fd, some, size) : write(fd, some, size)) != size)
			return 1;
	return fd < 0;
}
