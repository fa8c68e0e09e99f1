/* locks_kept.c - a POSIX lock lives until the program's own close, whatever is read meanwhile. */
#include "prog.h"

static int locked_for_others(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		int fd = open("dst", O_RDWR);
		struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

		_exit(fcntl(fd, F_SETLK, &lock) ? 1 : 0);
	}
	must(waitpid(pid, &status, 0) == pid && WIFEXITED(status), "waitpid");
	return WEXITSTATUS(status);
}

int main(void)
{
	int fd = create("dst");
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	write_some(fd, 0, SIZE / 2);
	must(fcntl(fd, F_SETLK, &lock) == 0, "F_SETLK");
	write_some(fd, SIZE / 2, SIZE / 2);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_some(fd, 0, SIZE);
	must(locked_for_others(), "the lock was lost");
	must_close(fd);
	must(!locked_for_others(), "the lock outlived its descriptor");
	return 0;
}
