/* closefrom.c - closefrom closes all from a number on and drops them; reading another goes on. */
#include "prog.h"

int main(void)
{
	int fd = open_src(), high = dup2(open_src(), 100), log = create("dst");

	read_all(high);
	must(dup2(log, 0) == 0, "dup2");
	closefrom(fd);
	must_fail(fcntl(fd, F_GETFD), EBADF, "still open");
	must_fail(fcntl(high, F_GETFD), EBADF, "still open");
	must(open_src() == fd, "not the lowest number");
	read_all(fd);
	write_some(0, 0, 1 << 20);
	must_close(0);
	return 0;
}
