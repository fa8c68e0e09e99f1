/* sys.c - the system calls of sys.h that are the same everywhere. */
#include "sys.h"

#include "call.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <linux/time_types.h>
#include <linux/utsname.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef __NR_faccessat2
#define __NR_faccessat2 439
#endif
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

long sys_openat(int dirfd, const char *path, int flags, int mode)
{
	return CALL4(__NR_openat, dirfd, path, flags, mode);
}

long sys_close(int fd)
{
	return CALL1(__NR_close, fd);
}

long sys_read(int fd, void *buffer, size_t n)
{
	return CALL3(__NR_read, fd, buffer, n);
}

long sys_write(int fd, const void *buffer, size_t n)
{
	return CALL3(__NR_write, fd, buffer, n);
}

long sys_getflags(int fd)
{
	return CALL3(NR_fcntl, fd, F_GETFL, 0);
}

long sys_setflags(int fd, int flags)
{
	return CALL3(NR_fcntl, fd, F_SETFL, flags);
}

long sys_duplicate(int fd, int least)
{
	return CALL3(NR_fcntl, fd, F_DUPFD_CLOEXEC, least);
}

long sys_getpid(void)
{
	return CALL0(__NR_getpid);
}

long sys_getcwd(char *buffer, size_t n)
{
	return CALL2(__NR_getcwd, buffer, n);
}

long sys_readlink(const char *path, char *buffer, size_t n)
{
	return CALL4(__NR_readlinkat, AT_FDCWD, path, buffer, n);
}

long sys_release(char *buffer, size_t n)
{
	struct new_utsname name = {.release = ""};
	long result = CALL1(__NR_uname, &name);

	for (size_t i = 0; i < n && i < sizeof(name.release); i++)
		buffer[i] = name.release[i];
	return result;
}

long sys_geteuid(void)
{
	return CALL0(NR_geteuid);
}

long sys_may_write(int fd)
{
	return CALL4(__NR_faccessat2, fd, "", W_OK, AT_EMPTY_PATH | AT_EACCESS);
}

static int64_t clock_now(int id)
{
	struct __kernel_timespec t = {0, 0};

	CALL2(NR_clock_gettime, id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t sys_wall_clock(void)
{
	return clock_now(CLOCK_REALTIME);
}

int64_t sys_tick_clock(void)
{
	return clock_now(CLOCK_REALTIME_COARSE);
}

int64_t sys_steady_clock(void)
{
	return clock_now(CLOCK_MONOTONIC);
}

long sys_sleep(long nanoseconds)
{
	struct __kernel_timespec t = {.tv_nsec = nanoseconds};

	return CALL4(NR_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, 0);
}

static long soft_limit(int resource, uint64_t *bytes)
{
	uint64_t limit[2] = {UINT64_MAX, UINT64_MAX};
	long result = CALL4(__NR_prlimit64, 0, resource, 0, limit);

	*bytes = limit[0];
	return result;
}

long sys_file_limit(uint64_t *bytes)
{
	return soft_limit(RLIMIT_FSIZE, bytes);
}

long sys_address_limit(uint64_t *bytes)
{
	return soft_limit(RLIMIT_AS, bytes);
}

long sys_stat_at(int dir, const char *path, struct statx *st)
{
	return CALL5(__NR_statx, dir, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_INO, st);
}

long sys_direct_block(int fd)
{
	struct statx st;
	long result = CALL5(__NR_statx, fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &st);

	if (sys_failed(result) || !(st.stx_mask & STATX_DIOALIGN) || !st.stx_dio_mem_align)
		return sys_failed(result) ? result : 0;
	return st.stx_dio_offset_align;
}

long sys_datasync(int fd)
{
	return CALL1(__NR_fdatasync, fd);
}

long sys_cachestat(int fd, int64_t offset, int64_t length, struct sys_cachestat *out)
{
	uint64_t range[2] = {(uint64_t)offset, (uint64_t)length};

	return CALL4(__NR_cachestat, fd, range, out, 0);
}

long sys_unmap(void *address, size_t length)
{
	return CALL2(__NR_munmap, address, length);
}

long sys_mincore(void *address, size_t length, unsigned char *vector)
{
	return CALL3(__NR_mincore, address, length, vector);
}

long sys_madvise(void *address, size_t length, int advice)
{
	return CALL3(__NR_madvise, address, length, advice);
}

long sys_peek(const void *from, void *to, size_t n)
{
	const struct iovec source = {(void *)from, n}, target = {to, n};

	return CALL6(__NR_process_vm_readv, sys_getpid(), &target, 1, &source, 1, 0);
}
