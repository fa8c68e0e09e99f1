/* sys.c - the system calls of sys.h on 64-bit kernels, where an offset is one register. */
#include "sys.h"

#include "call.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <linux/time_types.h>
#include <linux/utsname.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

/* vfs.h in the kernel: the part of struct statfs that is read here. */
struct kernel_statfs {
	long type;
	long rest[15];
};

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

long sys_pread(int fd, void *buffer, size_t n, int64_t offset)
{
	return CALL4(__NR_pread64, fd, buffer, n, offset);
}

long sys_pwrite(int fd, const void *buffer, size_t n, int64_t offset)
{
	return CALL4(__NR_pwrite64, fd, buffer, n, offset);
}

/* The kernel takes an offset in two halves here, of which a 64-bit one needs only the low. */
long sys_preadv2(int fd, const struct iovec *iov, int count, int64_t offset, int flags)
{
	return CALL6(__NR_preadv2, fd, iov, count, offset, 0, flags);
}

long sys_pwritev2(int fd, const struct iovec *iov, int count, int64_t offset, int flags)
{
	return CALL6(__NR_pwritev2, fd, iov, count, offset, 0, flags);
}

long sys_getflags(int fd)
{
	return CALL3(__NR_fcntl, fd, F_GETFL, 0);
}

long sys_setflags(int fd, int flags)
{
	return CALL3(__NR_fcntl, fd, F_SETFL, flags);
}

long sys_duplicate(int fd, int least)
{
	return CALL3(__NR_fcntl, fd, F_DUPFD_CLOEXEC, least);
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
	return CALL0(__NR_geteuid);
}

static int64_t clock_now(int id)
{
	struct __kernel_timespec t = {0, 0};

	CALL2(__NR_clock_gettime, id, &t);
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

	return CALL2(__NR_nanosleep, &t, 0);
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

int64_t sys_position(int fd)
{
	return CALL3(__NR_lseek, fd, 0, SEEK_CUR);
}

int64_t sys_seek(int fd, int64_t offset)
{
	return CALL3(__NR_lseek, fd, offset, SEEK_SET);
}

int64_t sys_advance(int fd, int64_t by)
{
	return CALL3(__NR_lseek, fd, by, SEEK_CUR);
}

int64_t sys_seek_data(int fd, int64_t at)
{
	return CALL3(__NR_lseek, fd, at, SEEK_DATA);
}

int64_t sys_seek_hole(int fd, int64_t at)
{
	return CALL3(__NR_lseek, fd, at, SEEK_HOLE);
}

/* fstat(2) takes an eighth less time than statx(2), and this is asked at every direct read. */
long sys_stat(int fd, struct statx *st)
{
	struct stat own;
	long result = CALL2(__NR_fstat, fd, &own);

	if (sys_failed(result))
		return result;
	st->stx_mode = (uint16_t)own.st_mode;
	st->stx_ino = own.st_ino;
	st->stx_size = (uint64_t)own.st_size;
	st->stx_uid = own.st_uid;
	/* include/linux/kdev_t.h, new_encode_dev() */
	st->stx_dev_major = own.st_dev >> 8 & 0xfff;
	st->stx_dev_minor = (own.st_dev & 0xff) | (own.st_dev >> 12 & 0xfff00);
	st->stx_ctime.tv_sec = own.st_ctim.tv_sec;
	st->stx_ctime.tv_nsec = (uint32_t)own.st_ctim.tv_nsec;
	return 0;
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

long sys_fstype(int fd)
{
	struct kernel_statfs fs;
	long result = CALL2(__NR_fstatfs, fd, &fs);

	return sys_failed(result) ? result : fs.type;
}

long sys_advise(int fd, int64_t offset, int64_t length, int advice)
{
	return CALL4(__NR_fadvise64, fd, offset, length, advice);
}

long sys_writeout(int fd, int64_t offset, int64_t length)
{
	return CALL4(__NR_sync_file_range, fd, offset, length, SYNC_FILE_RANGE_WRITE);
}

long sys_writeout_wait(int fd, int64_t offset, int64_t length)
{
	return CALL4(__NR_sync_file_range, fd, offset, length,
		     SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			     SYNC_FILE_RANGE_WAIT_AFTER);
}

long sys_truncate(int fd, int64_t size)
{
	return CALL2(__NR_ftruncate, fd, size);
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

long sys_map(size_t length)
{
	return CALL6(__NR_mmap, 0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
}

long sys_map_file(int fd, int64_t offset, size_t length)
{
	return CALL6(__NR_mmap, 0, length, PROT_READ, MAP_SHARED, fd, offset);
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
