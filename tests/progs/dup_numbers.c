/* dup_numbers.c - dup2, dup3, F_DUPFD, F_DUPFD_CLOEXEC: right file, numbers and flags. */
#include "prog.h"

static void must_be_twin(int fd, int number, int flags, off_t at)
{
	must(fd == number, "wrong number");
	must(fcntl(fd, F_GETFD) == flags, "wrong FD_CLOEXEC");
	must(lseek(fd, 0, SEEK_CUR) == at, "offset is not shared");
}

int main(void)
{
	int fd = open_src();

	read_some(fd, 0, SIZE / 4);
	must_be_twin(dup2(fd, 50), 50, 0, SIZE / 4);
	must_be_twin(dup3(fd, 51, O_CLOEXEC), 51, FD_CLOEXEC, SIZE / 4);
	must_be_twin(fcntl(fd, F_DUPFD, 50), 52, 0, SIZE / 4);
	must_be_twin(fcntl(fd, F_DUPFD_CLOEXEC, 50), 53, FD_CLOEXEC, SIZE / 4);
	must_close(fd);
	for (int i = 50; i < 54; i++) {
		read_some(i, SIZE / 4 + (i - 50) * (SIZE / 8), SIZE / 8);
		must_close(i);
	}
	return 0;
}
