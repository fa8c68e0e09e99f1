/* sys_32.c - the system calls of sys.h where an offset is two registers: 32-bit kernels. */
#include "sys.h"

#include "call.h"

#if __SIZEOF_LONG__ == 4

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The two registers, in the order of a machine with the low end first. */
#define LOW(offset) ((uint32_t)(offset))
#define HIGH(offset) ((uint32_t)((uint64_t)(offset) >> 32))

/* Offsets of mmap2(2) are counted in these, whatever a page is. */
enum { MAP_UNIT_SHIFT = 12 };

/* asm/statfs.h, struct statfs64: what the kernel wants to be told, and what is read here. */
enum { STATFS64_SIZE = 84 };
struct kernel_statfs64 {
	uint32_t type;
	uint32_t rest[STATFS64_SIZE / 4 - 1];
};

long sys_pread(int fd, void *buffer, size_t n, int64_t offset)
{
	return CALL5(__NR_pread64, fd, buffer, n, LOW(offset), HIGH(offset));
}

long sys_pwrite(int fd, const void *buffer, size_t n, int64_t offset)
{
	return CALL5(__NR_pwrite64, fd, buffer, n, LOW(offset), HIGH(offset));
}

long sys_preadv2(int fd, const struct iovec *iov, int count, int64_t offset, int flags)
{
	return CALL6(__NR_preadv2, fd, iov, count, LOW(offset), HIGH(offset), flags);
}

long sys_pwritev2(int fd, const struct iovec *iov, int count, int64_t offset, int flags)
{
	return CALL6(__NR_pwritev2, fd, iov, count, LOW(offset), HIGH(offset), flags);
}

static int64_t seek(int fd, int64_t offset, int whence)
{
	int64_t position;
	long result = CALL5(__NR__llseek, fd, HIGH(offset), LOW(offset), &position, whence);

	return sys_failed(result) ? result : position;
}

int64_t sys_position(int fd)
{
	return seek(fd, 0, SEEK_CUR);
}

int64_t sys_seek(int fd, int64_t offset)
{
	return seek(fd, offset, SEEK_SET);
}

int64_t sys_advance(int fd, int64_t by)
{
	return seek(fd, by, SEEK_CUR);
}

int64_t sys_seek_data(int fd, int64_t at)
{
	return seek(fd, at, SEEK_DATA);
}

int64_t sys_seek_hole(int fd, int64_t at)
{
	return seek(fd, at, SEEK_HOLE);
}

/* Not fstat64(2): its times end in 2038. */
long sys_stat(int fd, struct statx *st)
{
	return CALL5(__NR_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, st);
}

long sys_fstype(int fd)
{
	struct kernel_statfs64 fs;
	long result = CALL3(__NR_fstatfs64, fd, sizeof(fs), &fs);

	return sys_failed(result) ? result : (long)fs.type;
}

long sys_advise(int fd, int64_t offset, int64_t length, int advice)
{
	return CALL6(__NR_fadvise64_64, fd, LOW(offset), HIGH(offset), LOW(length), HIGH(length),
		     advice);
}

static long writeout(int fd, int64_t offset, int64_t length, unsigned flags)
{
	return CALL6(__NR_sync_file_range, fd, LOW(offset), HIGH(offset), LOW(length), HIGH(length),
		     flags);
}

long sys_writeout(int fd, int64_t offset, int64_t length)
{
	return writeout(fd, offset, length, SYNC_FILE_RANGE_WRITE);
}

long sys_writeout_wait(int fd, int64_t offset, int64_t length)
{
	return writeout(fd, offset, length,
			SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				SYNC_FILE_RANGE_WAIT_AFTER);
}

long sys_truncate(int fd, int64_t size)
{
	return CALL3(__NR_ftruncate64, fd, LOW(size), HIGH(size));
}

long sys_map(size_t length)
{
	return CALL6(__NR_mmap2, 0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
}

long sys_map_file(int fd, int64_t offset, size_t length)
{
	return CALL6(__NR_mmap2, 0, length, PROT_READ, MAP_SHARED, fd, offset >> MAP_UNIT_SHIFT);
}

#endif
