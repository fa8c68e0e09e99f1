/* close_range.c - close_range closes what it names and drops it. */
#include "prog.h"

int main(void)
{
	int fd = open_src(), other = dup2(0, 40);

	read_all(fd);
	if (close_range(fd, 39, 0) && errno == ENOSYS)
		cannot("no close_range");
	must_fail(fcntl(fd, F_GETFD), EBADF, "still open");
	must(fcntl(other, F_GETFD) == 0, "closed too much");
	must_fail(close_range(9, 8, 0), EINVAL, "wrong order");
	return 0;
}
