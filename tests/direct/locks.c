/* locks.c - a POSIX lock, taken before streaming or in its middle, is kept until the last close.
 *
 * locks before|during. After each thing that could make a helper of the program close a hidden
 * descriptor of the file, another process looks whether the lock is there. */
#include "../progs/prog.h"

#include <sys/mman.h>

static void look(const char *after)
{
	pid_t pid = fork();

	if (pid == 0) {
		int fd = open("dst", O_RDWR);
		struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

		must(fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0, "F_GETLK");
		_exit(lock.l_type == F_UNLCK || lock.l_pid != getppid());
	}

	int status;

	must(pid > 0 && waitpid(pid, &status, 0) == pid, "waitpid");
	if (status)
		dprintf(2, "the lock is gone after: %s\n", after);
	if (status)
		_exit(1);
}

static void lock(int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	must(fcntl(fd, F_SETLK, &lock) == 0, "F_SETLK");
	look("taking it");
}

static void map_some(int fd)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	must(p != MAP_FAILED, "mmap");
	look("mmap");
	must(munmap(p, 4096) == 0, "munmap");
}

int main(int argc, char **argv)
{
	int fd = create("dst"), before = argc > 1 && strcmp(argv[1], "before") == 0;

	if (before)
		lock(fd);
	write_some(fd, 0, SIZE);
	must(fsync(fd) == 0 && lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_some(fd, 0, SIZE / 4);
	if (!before)
		lock(fd);
	read_some(fd, SIZE / 4, SIZE / 4);
	look("reading");
	must(fcntl(fd, F_SETFL, O_APPEND) == 0 && fcntl(fd, F_SETFL, 0) == 0, "F_SETFL");
	look("F_SETFL");
	map_some(fd);
	read_some(fd, SIZE / 2, SIZE / 4);
	must(ftruncate(fd, SIZE - 1000) == 0 && lseek(fd, SIZE - 4096, SEEK_SET) > 0, "ftruncate");
	look("ftruncate");
	write_some(fd, SIZE - 4096, 4096);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_some(fd, 0, SIZE);
	look("all");
	must_close(fd);
	return 0;
}
