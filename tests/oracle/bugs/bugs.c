/*
 * bugs.c - a preload library that passes everything on, but for one deliberate bug.
 *
 * ORACLE_BUG names a line of bugs.def. Without it all is right, and the oracle must say so.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum bug {
#define BUG(name) name,
#include "bugs.def"
#undef BUG
};

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static enum bug wrong = none;

__attribute__((constructor)) static void choose(void)
{
	static const char *const names[] = {
#define BUG(name) #name,
#include "bugs.def"
#undef BUG
	};
	const char *name = getenv("ORACLE_BUG");

	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			wrong = i;
}

static long fail(int error)
{
	errno = error;
	return -1;
}

static long long size_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : st.st_size;
}

static void talk_once(void)
{
	static int talked;

	if (!talked++)
		syscall(SYS_write, 2, "hello\n", 6);
}

/* Reads: the wrong ways are before the call, of its result, and of the offset. */

static int read_refused(int fd, void *buf, size_t len)
{
	if (wrong == read_zero_bad_fd)
		return len == 0;
	if (wrong == read_huge_refused)
		return len > 1ULL << 31;
	if (wrong == read_fault_crash && len && fcntl(fd, F_GETFD) >= 0)
		((volatile char *)buf)[len - 1] = ((volatile char *)buf)[len - 1];
	while (wrong == hang && len == 4097)
		pause();
	return 0;
}

static ssize_t read_result(int fd, char *buf, size_t len, ssize_t got)
{
	if (wrong == talks && len == 4097)
		talk_once();
	if (wrong == read_errno && got > 0)
		errno = EAGAIN;
	if (wrong == read_wrong_errno && got < 0 && errno == EBADF)
		errno = EINVAL;
	if (wrong == read_scribbles && got > 0 && (size_t)got < len)
		buf[got] = 0;
	if (wrong == read_offset_twice && got > 0)
		lseek(fd, got, SEEK_CUR);
	if (wrong == read_offset_stays && got > 0)
		lseek(fd, -got, SEEK_CUR);
	if (wrong == read_fault_ok && got < 0 && errno == EFAULT)
		return 0;
	if (wrong == read_one_less && got > 1 && (size_t)got < len)
		return got - 1;
	if (wrong == read_one_more && got > 1 && (size_t)got < len)
		return got + 1;
	return got;
}

ssize_t read(int fd, void *buf, size_t len)
{
	if (read_refused(fd, buf, len))
		return wrong == read_zero_bad_fd ? 0 : fail(EINVAL);
	return read_result(fd, buf, len, syscall(SYS_read, fd, buf, len));
}

ssize_t readv(int fd, const struct iovec *iov, int count)
{
	return syscall(SYS_readv, fd, iov, wrong == readv_first_only && count > 1 ? 1 : count);
}

ssize_t pread(int fd, void *buf, size_t len, off_t off)
{
	ssize_t got;

	if (wrong == pread_negative && off < 0)
		off = 0;
	got = syscall(SYS_pread64, fd, buf, len, off);
	if (wrong == pread_moves && got > 0)
		lseek(fd, off + got, SEEK_SET);
	return got;
}

ssize_t preadv2(int fd, const struct iovec *iov, int count, off_t off, int flags)
{
	if (wrong == preadv2_current && off == -1)
		off = 0;
	return NEXT(preadv2)(fd, iov, count, off, flags);
}

/* Writes. */

static long long limit_left(int fd)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	return limit.rlim_cur == RLIM_INFINITY ? 1LL << 40
					       : (long long)limit.rlim_cur - lseek(fd, 0, SEEK_CUR);
}

static ssize_t write_silent(int fd, const void *buf, size_t len)
{
	struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
	ssize_t put;

	sigaction(SIGXFSZ, &ignored, &before);
	put = syscall(SYS_write, fd, buf, len);
	sigaction(SIGXFSZ, &before, NULL);
	return put;
}

static ssize_t write_padded_to(int fd, const void *buf, size_t len)
{
	static const char zeros[512];
	ssize_t put = syscall(SYS_write, fd, buf, len);

	if (put == (ssize_t)len && len % 512)
		syscall(SYS_write, fd, zeros, 512 - len % 512);
	return put;
}

static ssize_t write_altered(int fd, const char *buf, size_t len)
{
	char first = *buf + 1;
	struct iovec iov[] = {{&first, 1}, {(char *)buf + 1, len - 1}};

	return syscall(SYS_writev, fd, iov, 2);
}

ssize_t write(int fd, const void *buf, size_t len)
{
	ssize_t put;

	if (wrong == write_no_signal)
		return write_silent(fd, buf, len);
	if (wrong == write_padded)
		return write_padded_to(fd, buf, len);
	if (wrong == write_first_byte && len > 1 << 20 && len < 1 << 30)
		return write_altered(fd, buf, len);
	if (wrong == write_limit_short && (long long)len > limit_left(fd) && limit_left(fd) > 0)
		return fail(EFBIG);
	put = syscall(SYS_write, fd, buf, len);
	if (wrong == write_errno && put > 0)
		errno = 0;
	if (wrong == write_stays && put > 0)
		lseek(fd, -put, SEEK_CUR);
	return put;
}

ssize_t writev(int fd, const struct iovec *iov, int count)
{
	return syscall(SYS_writev, fd, iov, wrong == writev_first_only && count > 1 ? 1 : count);
}

ssize_t pwrite(int fd, const void *buf, size_t len, off_t off)
{
	int flags = fcntl(fd, F_GETFL);
	ssize_t put;

	if (wrong != pwrite_append || flags < 0 || !(flags & O_APPEND))
		return syscall(SYS_pwrite64, fd, buf, len, off);
	fcntl(fd, F_SETFL, flags & ~O_APPEND);
	put = syscall(SYS_pwrite64, fd, buf, len, off);
	fcntl(fd, F_SETFL, flags);
	return put;
}

ssize_t pwritev2(int fd, const struct iovec *iov, int count, off_t off, int flags)
{
	if (wrong == pwritev2_flags)
		flags &= 31;
	return NEXT(pwritev2)(fd, iov, count, off, flags);
}

/* Opening, closing, duplicating. */

static int open_flags(int flags)
{
	if (wrong == open_excl_dropped)
		return flags & ~O_EXCL;
	if (wrong == open_trunc_dropped)
		return flags & ~O_TRUNC;
	if (wrong == open_append_dropped)
		return flags & ~O_APPEND;
	if (wrong == open_cloexec_dropped)
		return flags & ~O_CLOEXEC;
	return flags;
}

static int open_result(int fd, const char *path)
{
	int other;

	if (fd >= 0 && wrong == open_direct_left)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_DIRECT);
	if (fd >= 0 && wrong == open_number && (other = syscall(SYS_dup, fd)) >= 0) {
		syscall(SYS_close, fd);
		return other;
	}
	if (fd >= 0 && wrong == open_stale_lock)
		syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY));
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode, fd;

	va_start(args, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	if (wrong == open_mode_lost)
		mode = 0600;
	fd = syscall(SYS_openat, AT_FDCWD, path, open_flags(flags), mode);
	return open_result(fd, path);
}

int close(int fd)
{
	int ret;

	if (wrong == close_keeps && fd > 2 && fcntl(fd, F_GETFL) >= 0)
		return 0;
	ret = syscall(SYS_close, fd);
	return wrong == close_twice && ret == 0 ? fail(EBADF) : ret;
}

int close_range(unsigned int low, unsigned int high, int flags)
{
	if (wrong == close_range_short && high > low)
		high--;
	return syscall(SYS_close_range, low, high, flags);
}

int dup(int fd)
{
	char path[64];
	int flags = fcntl(fd, F_GETFL);

	if (wrong != dup_other || flags < 0)
		return syscall(SYS_dup, fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return syscall(SYS_openat, AT_FDCWD, path, flags & ~O_NOFOLLOW);
}

int dup2(int fd, int to)
{
	if (wrong == dup2_cloexec && fd != to)
		return syscall(SYS_dup3, fd, to, O_CLOEXEC);
	return NEXT(dup2)(fd, to);
}

int fcntl(int fd, int what, ...)
{
	va_list args;
	void *arg;

	va_start(args, what);
	arg = va_arg(args, void *);
	va_end(args);
	if (wrong == setfl_lost && what == F_SETFL && syscall(SYS_fcntl, fd, F_GETFL) >= 0)
		return 0;
	return syscall(SYS_fcntl, fd, what, arg);
}

/* Positions and sizes. */

off_t lseek(int fd, off_t off, int whence)
{
	off_t at = syscall(SYS_lseek, fd, off, whence);

	if (wrong == lseek_end && whence == SEEK_END && at >= 0)
		return syscall(SYS_lseek, fd, 1, SEEK_CUR);
	if (wrong == lseek_negative && at < 0 && errno == EINVAL && whence == SEEK_CUR)
		return syscall(SYS_lseek, fd, 0, SEEK_SET);
	return at;
}

int ftruncate(int fd, off_t size)
{
	return syscall(SYS_ftruncate, fd, wrong == ftruncate_one && size > 0 ? size + 1 : size);
}

int fallocate(int fd, int mode, off_t off, off_t len)
{
	if (wrong == fallocate_size && mode == FALLOC_FL_KEEP_SIZE)
		mode = 0;
	return syscall(SYS_fallocate, fd, mode, off, len);
}

int posix_fadvise(int fd, off_t off, off_t len, int advice)
{
	int error = NEXT(posix_fadvise)(fd, off, len, advice);

	return wrong == fadvise_errno && error ? fail(error) : error;
}

/* Copies. */

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t len, unsigned int flags)
{
	off64_t before = wrong == copy_offset && from ? *from : 0;
	ssize_t got;

	if (wrong == copy_short && len > 64 << 10)
		len = 64 << 10;
	got = syscall(SYS_copy_file_range, in, from, out, to, len, flags);
	if (wrong == copy_offset && from)
		*from = before;
	return got;
}

ssize_t sendfile(int out, int in, off_t *from, size_t len)
{
	off_t before = wrong == sendfile_offset && from ? *from : 0;
	ssize_t got = syscall(SYS_sendfile, out, in, from, len);

	if (wrong == sendfile_offset && from)
		*from = before;
	if (wrong == sendfile_moves && from && got > 0)
		syscall(SYS_lseek, in, *from, SEEK_SET);
	return got;
}

/* Streams. */

size_t fwrite(const void *buf, size_t size, size_t count, FILE *fp)
{
	size_t put = NEXT(fwrite)(buf, size, count, fp);

	return wrong == fwrite_count ? put * size : put;
}

size_t fread(void *buf, size_t size, size_t count, FILE *fp)
{
	size_t got = NEXT(fread)(buf, size, count, fp);

	return wrong == fread_partial && got && got < count && size > 1 ? got + 1 : got;
}

int fseek(FILE *fp, long off, int whence)
{
	if (wrong == fseek_unflushed && whence == SEEK_CUR)
		return syscall(SYS_lseek, fileno(fp), off, whence) < 0 ? -1 : 0;
	return NEXT(fseek)(fp, off, whence);
}

long ftell(FILE *fp)
{
	return wrong == ftell_raw ? syscall(SYS_lseek, fileno(fp), 0, SEEK_CUR) : NEXT(ftell)(fp);
}

/* Mappings and processes. */

void *mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	if (wrong == map_stale && flags & MAP_SHARED && fd > 2 && size_of(fd))
		flags = (flags & ~MAP_SHARED) | MAP_PRIVATE;
	return (void *)syscall(SYS_mmap, at, len, prot, flags, fd, off);
}

pid_t fork(void)
{
	pid_t pid = NEXT(fork)();

	for (int fd = 3; pid == 0 && wrong == fork_moves && fd < 20; fd++)
		syscall(SYS_lseek, fd, 1, SEEK_CUR);
	return pid;
}

int execv(const char *path, char *const argv[])
{
	if (wrong == exec_closes)
		syscall(SYS_close, 3);
	return NEXT(execv)(path, argv);
}
