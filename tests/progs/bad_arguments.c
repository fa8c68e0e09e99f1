/* bad_arguments.c - EFAULT, EINVAL, ESPIPE, ENOENT, EISDIR and EBADF as the kernel says them. */
#include "prog.h"

#include <sys/mman.h>

int main(void)
{
	char *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), c;
	int fd = open_src(), out = create("dst"), pipe_fd[2], dir = open(".", O_RDONLY);

	must_fail(read(fd, nowhere, 4096), EFAULT, "read to nowhere");
	must_fail(write(out, nowhere, 4096), EFAULT, "write from nowhere");
	must(lseek(fd, 0, SEEK_CUR) == 0 && lseek(out, 0, SEEK_CUR) == 0, "offset moved");
	must_fail(open(nowhere, O_RDONLY), EFAULT, "open nowhere");
	must_fail(open("absent", O_RDONLY), ENOENT, "open absent");
	must_fail(open(".", O_WRONLY), EISDIR, "open a directory");
	must_fail(open("src", O_CREAT | O_EXCL | O_RDWR, ANY_MODE), EEXIST, "O_EXCL");
	must_fail(read(dir, &c, 1), EISDIR, "read a directory");
	must_fail(write(fd, "x", 1), EBADF, "write to O_RDONLY");
	must_fail(lseek(fd, -1, SEEK_SET), EINVAL, "lseek before the start");
	must_fail(lseek(fd, 0, 99), EINVAL, "lseek from nowhere");
	must(pipe(pipe_fd) == 0, "pipe");
	must_fail(lseek(pipe_fd[0], 0, SEEK_SET), ESPIPE, "lseek on a pipe");
	must_fail(pread(pipe_fd[0], &c, 1, 0), ESPIPE, "pread from a pipe");
	must(read(fd, &c, 0) == 0 && write(out, &c, 0) == 0, "no bytes");
	read_all(fd);
	return 0;
}
