/* many_descriptors.c - 10,000 descriptors of one file at once, each at its own offset. */
#include "prog.h"

#include <sys/resource.h>

enum { MANY = 10000 };

int main(void)
{
	static int fd[MANY];
	struct rlimit limit;
	unsigned char c;

	must(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
	if (limit.rlim_max < MANY + 1000)
		cannot("the limit of open files is too low");
	limit.rlim_cur = MANY + 1000;
	must(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
	for (int i = 0; i < MANY; i++) {
		fd[i] = open_src();
		must(lseek(fd[i], i * 7, SEEK_SET) == i * 7, "lseek");
	}
	for (int i = 0; i < MANY; i++)
		must(read(fd[i], &c, 1) == 1 && c == pattern_byte(i * 7), "wrong byte");
	for (int i = 0; i < MANY; i++)
		must(lseek(fd[i], 0, SEEK_CUR) == i * 7 + 1 && close(fd[i]) == 0, "close");
	return 0;
}
