/* flags_seen.c - F_GETFL shows the flags that the program gave and set, and no other. */
#include "prog.h"

enum { SHOWN = O_ACCMODE | O_APPEND | O_DIRECT | O_DSYNC | O_SYNC | O_NOATIME | O_NONBLOCK };

static void must_show(int fd, int flags)
{
	must((fcntl(fd, F_GETFL) & SHOWN) == flags, "F_GETFL");
}

int main(void)
{
	int fd = open_src(), out = create("dst"),
	    log = open("dst.log", O_WRONLY | O_CREAT | O_APPEND, ANY_MODE);

	must_show(fd, O_RDONLY);
	read_all(fd);
	must_show(fd, O_RDONLY);
	write_some(out, 0, SIZE);
	must_show(out, O_RDWR);
	must(fcntl(out, F_SETFL, O_APPEND) == 0, "F_SETFL");
	must_show(out, O_RDWR | O_APPEND);
	write_some(out, SIZE, 100);
	must(fcntl(out, F_SETFL, 0) == 0, "F_SETFL");
	must_show(out, O_RDWR);
	write_some(log, 0, 100000);
	must_show(log, O_WRONLY | O_APPEND);
	must_hold("dst", SIZE + 100);
	return 0;
}
