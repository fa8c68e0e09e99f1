/* faulty.c - a preload library with the fault that MATRIX_FAULT names, each one that a run of the
 * matrix must see:
 *
 *   byte    the last byte of a transfer of 4 KiB and more is wrong
 *   mode    modes are not set
 *   time    times are not set
 *   hole    what is to be a hole gets space
 *   said    a line more on standard error
 *   status  another exit status */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LARGE = 4096 };

static int is(const char *name)
{
	const char *fault = getenv("MATRIX_FAULT");

	return fault && strcmp(fault, name) == 0;
}

static void spoil(void *bytes, ssize_t n)
{
	if (n >= LARGE && is("byte"))
		((char *)bytes)[n - 1] ^= 1;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	ssize_t n = syscall(SYS_read, fd, buffer, size);

	spoil(buffer, n);
	return n;
}

ssize_t pread64(int fd, void *buffer, size_t size, off_t at)
{
	ssize_t n = syscall(SYS_pread64, fd, buffer, size, at);

	spoil(buffer, n);
	return n;
}

ssize_t pread(int fd, void *buffer, size_t size, off_t at)
{
	return pread64(fd, buffer, size, at);
}

static size_t next_fread(const char *name, void *buffer, size_t size, size_t count, FILE *file)
{
	size_t (*next)(void *, size_t, size_t, FILE *);

	*(void **)&next = dlsym(RTLD_NEXT, name);
	size_t n = next(buffer, size, count, file);

	spoil(buffer, n * size);
	return n;
}

size_t fread(void *buffer, size_t size, size_t count, FILE *file)
{
	return next_fread("fread", buffer, size, count, file);
}

size_t fread_unlocked(void *buffer, size_t size, size_t count, FILE *file)
{
	return next_fread("fread_unlocked", buffer, size, count, file);
}

/* Programs fall back to read and write. */
ssize_t copy_file_range(int in, off_t *from, int out, off_t *to, size_t size, unsigned flags)
{
	if (!is("byte"))
		return syscall(SYS_copy_file_range, in, from, out, to, size, flags);
	errno = EXDEV;
	return -1;
}

int fallocate(int fd, int mode, off_t from, off_t size)
{
	return syscall(SYS_fallocate, fd, is("hole") ? FALLOC_FL_KEEP_SIZE : mode, from, size);
}

int fchmod(int fd, mode_t mode)
{
	return is("mode") ? 0 : syscall(SYS_fchmod, fd, mode);
}

int fchmodat(int dir, const char *path, mode_t mode, int flags)
{
	int (*next)(int, const char *, mode_t, int);

	*(void **)&next = dlsym(RTLD_NEXT, "fchmodat");
	return is("mode") ? 0 : next(dir, path, mode, flags);
}

int utimensat(int dir, const char *path, const struct timespec times[2], int flags)
{
	return is("time") ? 0 : syscall(SYS_utimensat, dir, path, times, flags);
}

int futimens(int fd, const struct timespec times[2])
{
	return is("time") ? 0 : syscall(SYS_utimensat, fd, NULL, times, 0);
}

__attribute__((constructor)) static void start(void)
{
	if (is("said"))
		fputs("said by the fault\n", stderr);
}

__attribute__((destructor)) static void end(void)
{
	if (is("status"))
		_exit(3);
}
