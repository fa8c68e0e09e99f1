/* close_range_cloexec.c - CLOSE_RANGE_CLOEXEC closes nothing: the file can be read on. */
#include "prog.h"

#include <linux/close_range.h>

int main(void)
{
	int fd = open_src();

	read_some(fd, 0, SIZE / 2);
	if (close_range(fd, ~0U, CLOSE_RANGE_CLOEXEC))
		cannot("no CLOSE_RANGE_CLOEXEC");
	must(fcntl(fd, F_GETFD) == FD_CLOEXEC, "flag");
	read_some(fd, SIZE / 2, SIZE / 2);
	must_close(fd);
	return 0;
}
