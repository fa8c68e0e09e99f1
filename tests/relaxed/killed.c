/*
 * killed.c - killed after N bytes written by M at a time: killed N M. What is there is a prefix;
 * the suite looks at how much.
 */
#include "relaxed.h"

int main(int argc, char **argv)
{
	int fd = open("dst", O_WRONLY | O_CREAT | O_TRUNC, ANY_MODE);

	must(argc > 2 && fd >= 0, "open");
	write_tiny(fd, 0, atoll(argv[1]), atoi(argv[2]));
	kill(getpid(), SIGKILL);
	return 1;
}
