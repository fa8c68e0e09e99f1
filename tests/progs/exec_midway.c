/* exec_midway.c - a descriptor read in part before exec goes on at its offset after it. */
#include "prog.h"

int main(int argc, char **argv)
{
	if (argc > 1) {
		read_some(atoi(argv[1]), SIZE / 2 + 1, SIZE / 2 - 1);
		return 0;
	}
	int fd = open_src();
	char number[16];

	read_some(fd, 0, SIZE / 2 + 1);
	snprintf(number, sizeof number, "%d", fd);
	execl("/proc/self/exe", argv[0], number, (char *)NULL);
	must(0, "exec");
}
