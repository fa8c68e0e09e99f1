/* overwrite_middle.c - a few odd bytes written amid a file change nothing around them. */
#include "prog.h"

int main(void)
{
	int fd = create("dst");

	write_some(fd, 0, 3 << 20);
	must_close(fd);
	fd = open("dst", O_WRONLY);
	must(fd >= 0, "open");
	for (off_t at = 511; at < 3 << 20; at += 99991) {
		must(lseek(fd, at, SEEK_SET) == at, "lseek");
		write_some(fd, at, 4099 < (3 << 20) - at ? 4099 : (3 << 20) - at);
	}
	must_close(fd);
	must_hold("dst", 3 << 20);
	return 0;
}
