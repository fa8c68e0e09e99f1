/*
 * raw.h - system calls that no preloaded library sees; every one returns a value or -errno.
 *
 * Not libc's syscall(): a shim may interpose that one too. Elsewhere than on x86-64 and aarch64
 * there is nothing better, and shims leave it alone there.
 */
#ifndef RAW_H
#define RAW_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long raw_call(long n, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__) && !defined(__ILP32__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = n;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
	int saved = errno;
	long ret = syscall(n, a, b, c, d, e, f);

	ret = ret == -1 ? -errno : ret;
	errno = saved;
	return ret;
#endif
}

static inline int raw_open(const char *path, int flags, int mode)
{
	return raw_call(SYS_openat, AT_FDCWD, (long)path, flags, mode, 0, 0);
}

static inline int raw_close(int fd)
{
	return raw_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long raw_read(int fd, void *buf, size_t len)
{
	return raw_call(SYS_read, fd, (long)buf, len, 0, 0, 0);
}

static inline long raw_pread(int fd, void *buf, size_t len, long long off)
{
	if (sizeof(long) == 4)
		return raw_call(SYS_pread64, fd, (long)buf, len, off, off >> 32, 0);
	return raw_call(SYS_pread64, fd, (long)buf, len, off, 0, 0);
}

static inline long long raw_lseek(int fd, long long off, int whence)
{
#ifdef SYS__llseek
	long long at;
	long ret = raw_call(SYS__llseek, fd, off >> 32, off, (long)&at, whence, 0);

	return ret < 0 ? ret : at;
#else
	return raw_call(SYS_lseek, fd, off, whence, 0, 0, 0);
#endif
}

static inline int raw_stat(int fd, struct statx *stx)
{
	return raw_call(SYS_statx, fd, (long)"", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC,
			STATX_BASIC_STATS, (long)stx, 0);
}

static inline int raw_fcntl(int fd, int what, void *arg)
{
#ifdef SYS_fcntl64
	return raw_call(SYS_fcntl64, fd, what, (long)arg, 0, 0, 0);
#else
	return raw_call(SYS_fcntl, fd, what, (long)arg, 0, 0, 0);
#endif
}

static inline int raw_fork(void)
{
	return raw_call(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
}

static inline int raw_wait(int pid, int *status)
{
	return raw_call(SYS_wait4, pid, (long)status, 0, 0, 0, 0);
}

_Noreturn static inline void raw_exit(int status)
{
	for (;;)
		raw_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

#endif
