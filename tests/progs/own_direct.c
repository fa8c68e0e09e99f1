/* own_direct.c - a program's own O_DIRECT shows in F_GETFL, and its aligned requests are right. */
#include "prog.h"

int main(void)
{
	int fd = open("src", O_RDONLY | O_DIRECT);
	unsigned char *buffer = NULL;

	if (fd < 0)
		cannot("no O_DIRECT here");
	must(posix_memalign((void **)&buffer, 4096, 1 << 20) == 0, "memory");
	for (uint64_t at = 0; at < SIZE; at += 1 << 20) {
		must(read(fd, buffer, 1 << 20) == 1 << 20, "read");
		must_match(buffer, 1 << 20, at);
		must(fcntl(fd, F_GETFL) & O_DIRECT, "O_DIRECT is gone");
	}
	must_close(fd);
	return 0;
}
