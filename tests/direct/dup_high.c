/* dup_high.c - a program may put its own descriptors onto any high number while files stream. */
#include "../progs/prog.h"

#include <sys/resource.h>

enum { SHIFT = 1 << 20 };

static int most(void)
{
	struct rlimit limit;

	must(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
	return limit.rlim_cur > 65536 ? 65536 : limit.rlim_cur;
}

int main(void)
{
	int in = open_src(), out = create("dst"), other = create("file"), end = most();
	char byte;

	write_some(other, SHIFT, 1 << 20); /* not what is there in src */
	must(lseek(other, 0, SEEK_SET) == 0, "lseek");
	read_some(in, 0, SIZE / 4);
	write_some(out, 0, SIZE / 4);
	for (int fd = 200; fd < end; fd++)
		must(dup2(other, fd) == fd, "dup2");
	read_some(in, SIZE / 4, SIZE / 4);
	write_some(out, SIZE / 4, SIZE / 4);
	for (int fd = 200; fd < end; fd += 7)
		must(pread(fd, &byte, 1, fd) == 1 &&
			     (unsigned char)byte == pattern_byte(fd + SHIFT),
		     "another file is there");
	must(lseek(end - 1, 0, SEEK_CUR) == 0, "somebody moved it");
	must(close_range(200, ~0U, 0) == 0, "close_range");
	read_some(in, SIZE / 2, SIZE / 2);
	write_some(out, SIZE / 2, SIZE / 2);
	must_close(in);
	must_close(out);
	must_hold("dst", SIZE);
	return 0;
}
