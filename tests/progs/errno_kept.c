/* errno_kept.c - a call that succeeds leaves errno alone. */
#include "prog.h"

#include <sys/mman.h>

static void kept(int ok, const char *what)
{
	must(ok, what);
	must(errno == 4242, what);
}

int main(void)
{
	static char buffer[1 << 20];
	int fd, out;

	errno = 4242;
	kept((fd = open("src", O_RDONLY)) >= 0, "open");
	kept((out = open("out", O_RDWR | O_CREAT, ANY_MODE)) >= 0, "open to write");
	for (int i = 0; i < 12; i++) {
		kept(read(fd, buffer, sizeof buffer) == sizeof buffer, "read");
		kept(write(out, buffer, sizeof buffer) == sizeof buffer, "write");
	}
	kept(pread(fd, buffer, 1000, 3) == 1000, "pread");
	kept(pwrite(out, buffer, 1000, 3) == 1000, "pwrite");
	kept(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	kept(fsync(out) == 0, "fsync");
	kept(ftruncate(out, 5) == 0, "ftruncate");
	kept(dup2(fd, 60) == 60, "dup2");
	kept(fcntl(fd, F_GETFL) >= 0, "fcntl");
	kept(copy_file_range(fd, NULL, out, NULL, 100000, 0) > 0, "copy_file_range");
	void *map = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	kept(map != MAP_FAILED, "mmap");
	kept(munmap(map, SIZE) == 0, "munmap");
	kept(close(60) == 0, "close of a dup");
	kept(close(fd) == 0, "close");
	kept(close(out) == 0, "close of the written");
	return 0;
}
