/* positional.c - pread and pwrite at odd places leave the offset alone and hit the right bytes. */
#include "prog.h"

int main(void)
{
	static unsigned char buffer[70001];
	int fd = open_src(), out = create("dst");

	for (off_t at = SIZE - SIZE % 70001; at >= 0; at -= 70001) {
		ssize_t n = pread(fd, buffer, sizeof buffer, at);

		must(n > 0 && (n == 70001 || at + n == SIZE), "pread");
		must_match(buffer, n, at);
		must(pwrite(out, buffer, n, at) == n, "pwrite");
	}
	must(pread(fd, buffer, 10, SIZE) == 0, "pread at the end");
	must_fail(pread(fd, buffer, 10, -1), EINVAL, "pread before the start");
	must(lseek(fd, 0, SEEK_CUR) == 0 && lseek(out, 0, SEEK_CUR) == 0, "offset moved");
	must_close(fd);
	must_close(out);
	must_hold("dst", SIZE);
	return 0;
}
