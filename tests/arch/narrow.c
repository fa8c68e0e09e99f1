/*
 * narrow.c - what a program sees of offsets beyond 2 GiB, by narrow and by wide off_t: it prints
 * each call's value and errno. Built without and with _FILE_OFFSET_BITS=64, run bare and shimmed:
 * the lines must be the same. Runs in a directory that holds `cold`, COLD bytes of the pattern.
 */
#include "pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COLD = 48 << 20, BLOCK = 1 << 20 };

static unsigned char buffer[BLOCK];

static void say(const char *what, long long value)
{
	printf("%s %lld %s\n", what, value, value == -1 ? strerror(errno) : "-");
	errno = 0;
}

static void say_bytes(const char *what, ssize_t n, uint64_t at)
{
	say(what, n);
	if (n > 0)
		say("right", (long long)pattern_check(buffer, (size_t)n, at));
	memset(buffer, 0, sizeof(buffer));
}

/* The largest offset that a narrow off_t holds, plus `by`; wraps there. */
static off_t edge(long by)
{
	return (off_t)(0x7fffffffLL + by);
}

static void opens(void)
{
	int wide = open64("big", O_RDWR | O_CREAT, 0600), fd;
	struct stat st;

	say("wide size", ftruncate64(wide, 5LL << 30));
	say("wide write", pwrite64(wide, "far", 3, (4LL << 30) + 5));
	fd = open("big", O_RDWR);
	say("open big", fd < 0 ? -1 : 0);
	say("stat big", stat("big", &st));
	say("fstat big", fstat(wide, &st));
	say("lstat big", lstat("big", &st));
	say("fstatat big", fstatat(AT_FDCWD, "big", &st, 0));
	say("fopen big", fopen("big", "r") ? 0 : -1);
	say("truncate", truncate("big", edge(0)));
	say("size", (long long)lseek64(wide, 0, SEEK_END));
	if (fd >= 0)
		close(fd);
	close(wide);
}

static void positions(void)
{
	int fd = open("edge", O_RDWR | O_CREAT | O_TRUNC, 0600), wide = open64("edge", O_RDWR);

	say("lseek", lseek(fd, edge(-4), SEEK_SET));
	say("write over the edge", write(fd, "12345678", 8));
	say("write at the edge", write(fd, "x", 1));
	say("tell", lseek(fd, 0, SEEK_CUR));
	say("beyond", lseek(fd, edge(0), SEEK_CUR));
	say("wide beyond", lseek64(wide, 3LL << 30, SEEK_SET));
	say("tell wide by narrow", lseek(wide, 0, SEEK_CUR));
	say("wide write", write(wide, "wide", 4));
	say("wide tell", lseek64(wide, 0, SEEK_CUR));
	say("pwrite", pwrite(fd, "12345678", 8, edge(-4)));
	say("pread", pread(wide, buffer, 8, edge(-8)));
	say("pread negative", pread(fd, buffer, 8, -5));
	say("pread64", pread64(fd, buffer, 4, 3LL << 30));
	say("end", lseek(fd, 0, SEEK_END));
	say("wide end", lseek64(fd, 0, SEEK_END));
	say("block over the edge",
	    (lseek(fd, edge(-BLOCK / 2), SEEK_SET), write(fd, buffer, BLOCK)));
	close(fd);
	close(wide);
}

static void moves(void)
{
	int in = open("cold", O_RDONLY), out = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct iovec iov[2] = {{buffer, 5000}, {buffer + 5000, 70000}};
	off_t offset = 4097;
	off64_t from = 8193, to = 0;
	unsigned char *map;
	ssize_t n, all = 0;

	for (; (n = read(in, buffer, BLOCK)) > 0; all += n)
		if (pattern_check(buffer, (size_t)n, (uint64_t)all) != (size_t)n)
			say("wrong read", all);
	say("read all", all);
	say_bytes("pread", pread(in, buffer, 100001, 777), 777);
	say_bytes("preadv", preadv(in, iov, 2, 12345), 12345);
	say_bytes("preadv64", preadv64(in, iov, 2, 54321), 54321);
#ifdef __GLIBC__
	say_bytes("preadv2", preadv2(in, iov, 2, 4096, 0), 4096);
#endif
	say("sendfile", sendfile(out, in, &offset, 1000000));
	say("its offset", offset);
	say("sendfile64", sendfile64(out, in, &from, 1000000));
	say("its offset", from);
	offset = -1;
	say("sendfile from -1", sendfile(out, in, &offset, 10));
	say("sendfile from nowhere", sendfile(out, in, (off_t *)16, 10));
	from = 100;
	say("copy_file_range", copy_file_range(in, &from, out, &to, 20 << 20, 0));
	say("its offsets", from + to);
	say_bytes("pread copy", pread(out, buffer, BLOCK, 0), 100);
	say("pwritev", pwritev(out, iov, 2, 99));
	say("fadvise", posix_fadvise(in, 0, COLD, POSIX_FADV_SEQUENTIAL));
	say("fallocate", posix_fallocate(out, 1 << 20, 30 << 20));
	map = mmap(NULL, 65536, PROT_READ, MAP_SHARED, in, 40 << 20);
	say("mmap", map == MAP_FAILED ? -1 : (long long)pattern_check(map, 65536, 40 << 20));
	close(in);
	close(out);
}

static void locks(void)
{
	int a = open("cold", O_RDWR), b = open("cold", O_RDWR);
	struct flock lock = {.l_type = F_WRLCK, .l_start = 4096, .l_len = 100};

	say("F_OFD_SETLK", fcntl(a, F_OFD_SETLK, &lock));
	lock.l_start = 4195;
	lock.l_len = 1;
	say("F_OFD_SETLK again", fcntl(b, F_OFD_SETLK, &lock));
	lock.l_start = 4196;
	say("F_OFD_SETLK beside", fcntl(b, F_OFD_SETLK, &lock));
	say("F_DUPFD", fcntl(a, F_DUPFD, 50));
	say("lockf", lockf(a, F_TEST, 10));
	close(a);
	close(b);
}

static void streams(void)
{
	FILE *in = fopen("cold", "r"), *out = fopen("stream", "w+");

	say("fread", (long long)fread(buffer, 1, BLOCK, in));
	say("right", (long long)pattern_check(buffer, BLOCK, 0));
	say("fwrite", (long long)fwrite(buffer, 1, 100000, out));
	say("fseek", fseek(out, 0x7ffffffe, SEEK_SET));
	say("fputs", fputs("abcdef", out) < 0);
	say("fflush", fflush(out));
	say("ftell", ftell(out));
	say("fclose", fclose(in));
	fclose(out);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	opens();
	positions();
	moves();
	locks();
	streams();
	unlink("big");
	unlink("edge");
	unlink("copy");
	unlink("stream");
	return 0;
}
