/* sys_64.c - the system calls of sys.h where an offset is one register: 64-bit kernels. */
#include "sys.h"

#include "call.h"

#if __SIZEOF_LONG__ == 8

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* vfs.h in the kernel: the part of struct statfs that is read here. */
struct kernel_statfs {
	long type;
	long rest[15];
};

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

long sys_map(size_t length)
{
	return CALL6(__NR_mmap, 0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
}

long sys_map_file(int fd, int64_t offset, size_t length)
{
	return CALL6(__NR_mmap, 0, length, PROT_READ, MAP_SHARED, fd, offset);
}

#endif
