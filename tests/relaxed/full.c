/*
 * full.c - a disk that fills up: the call that finds no room says so, what fitted is a prefix, and
 * what did not is written once there is room: full {write|fsync|close|lseek}.
 */
#include "relaxed.h"

static long long fill(int fd, const char *how)
{
	unsigned char some[TINY];
	long long at = 0, most = 64 << 20;

	for (; at < most; at += TINY) {
		pattern_fill(some, TINY, at);
		if (write(fd, some, TINY) != TINY)
			break;
		if (strcmp(how, "write") && at % (1 << 20) == 0 && at && fdatasync(fd))
			break;
	}
	must(at < most && errno == ENOSPC, "it does not fill up");
	return at;
}

/* Takes all room but little. */
static void take_room(void)
{
	int fd = open("ballast", O_WRONLY | O_CREAT, ANY_MODE), size = 1 << 20;
	static char some[1 << 20];

	while (size >= 4096)
		if (write(fd, some, size) <= 0 || fsync(fd))
			size /= 2;
	must(ftruncate(fd, lseek(fd, 0, SEEK_CUR) - 300000) == 0 && fsync(fd) == 0, "ballast");
	close(fd);
}

static void prefix(long long most)
{
	int fd = raw_open("dst", O_RDONLY, 0);
	long long size = raw_size(fd);

	must(size <= most, "there is more than was written");
	must_be_there(fd, size);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "write";
	int fd;
	long long at;

	take_room();
	fd = open("dst", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);
	if (!strcmp(how, "write")) {
		at = fill(fd, how);
	} else {
		at = 400000 / TINY * TINY;
		for (long long done = 0; done < at; done += TINY) {
			unsigned char some[TINY];

			pattern_fill(some, TINY, done);
			if (write(fd, some, TINY) != TINY) {
				must(!is_relaxed(), "a gathered write failed");
				return 0; /* bare: no delayed error to see */
			}
		}
	}
	if (!strcmp(how, "fsync"))
		must_fail(fsync(fd), ENOSPC, "fsync");
	if (!strcmp(how, "close")) {
		must_fail(close(fd), ENOSPC, "close");
		prefix(at);
		return 0;
	}
	if (!strcmp(how, "lseek"))
		must(lseek(fd, 0, SEEK_CUR) == at, "lseek");
	prefix(at);
	must(unlink("ballast") == 0, "unlink");
	sync();
	must(fsync(fd) == 0, "fsync with room");
	must(lseek(fd, 0, SEEK_CUR) == at, "the offset");
	must_be_there(fd, at);
	return 0;
}
