/* bad_descriptors.c - descriptors that are none: -1 and EBADF from every call, never a crash. */
#include "prog.h"

#include <limits.h>
#include <sys/mman.h>

static void must_refuse(int fd)
{
	char c = 0;

	must_fail(read(fd, &c, 1), EBADF, "read");
	must_fail(write(fd, &c, 1), EBADF, "write");
	must_fail(pread(fd, &c, 1, 0), EBADF, "pread");
	must_fail(pwrite(fd, &c, 1, 0), EBADF, "pwrite");
	must_fail(lseek(fd, 0, SEEK_SET), EBADF, "lseek");
	must_fail(dup(fd), EBADF, "dup");
	must_fail(dup2(fd, 90), EBADF, "dup2 from");
	must_fail(dup3(fd, 90, 0), EBADF, "dup3 from");
	must_fail(fcntl(fd, F_GETFL), EBADF, "fcntl");
	must_fail(fcntl(fd, F_DUPFD, 0), EBADF, "F_DUPFD");
	must_fail(fsync(fd), EBADF, "fsync");
	must_fail(ftruncate(fd, 0), EBADF, "ftruncate");
	must(posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL) == EBADF, "posix_fadvise");
	must(mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EBADF, "mmap");
	must_fail(copy_file_range(fd, NULL, fd, NULL, 1, 0), EBADF, "copy_file_range");
	must_fail(close(fd), EBADF, "close");
}

int main(void)
{
	static const int bad[] = {-1, -100, -5, INT_MIN, INT_MAX, 1 << 20, 77, 1 << 30};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		must_refuse(bad[i]);
	must_fail(dup2(0, -5), EBADF, "dup2 to -5");
	must_fail(dup2(0, INT_MAX), EBADF, "dup2 to INT_MAX");
	must_fail(dup3(0, -5, 0), EBADF, "dup3 to -5");
	must_fail(fcntl(0, F_DUPFD, -5), EINVAL, "F_DUPFD from -5");
	return 0;
}
