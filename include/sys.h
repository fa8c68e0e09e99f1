/*
 * sys.h - the kernel, raw. Every function makes one system call and returns its value or -errno.
 *
 * Nothing here sets errno, takes a lock or is a cancellation point, so all of it may be called
 * from a signal handler, in a vfork child and while the program's own call is being wrapped.
 * Offsets and lengths are bytes. The manual page of the same name, section 2, is the source
 * unless another is given.
 */
#ifndef NOCACHE_SYS_H
#define NOCACHE_SYS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/* linux/mman.h; not in older libc headers. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

struct io_event; /* linux/aio_abi.h */
struct iocb;
struct iovec; /* sys/uio.h */
struct statx; /* linux/stat.h */

/* linux/mman.h, struct cachestat: pages of a range by state. Not in older libc headers. */
struct sys_cachestat {
	uint64_t cached;
	uint64_t dirty;
	uint64_t writeback;
	uint64_t evicted;
	uint64_t recently_evicted;
};

/* The most bytes that one call moves, include/linux/fs.h, MAX_RW_COUNT. */
enum { SYS_CALL_MOST = 0x7ffff000 };

long sys_openat(int dirfd, const char *path, int flags, int mode);
long sys_close(int fd);
long sys_read(int fd, void *buffer, size_t n);
long sys_write(int fd, const void *buffer, size_t n);
long sys_pread(int fd, void *buffer, size_t n, int64_t offset);
long sys_pwrite(int fd, const void *buffer, size_t n, int64_t offset);
long sys_preadv2(int fd, const struct iovec *iov, int count, int64_t offset, int flags);
long sys_pwritev2(int fd, const struct iovec *iov, int count, int64_t offset, int flags);
long sys_getflags(int fd);
long sys_setflags(int fd, int flags);
long sys_duplicate(int fd, int least); /* F_DUPFD_CLOEXEC */
long sys_getpid(void);
long sys_getcwd(char *buffer, size_t n);
long sys_readlink(const char *path, char *buffer, size_t n);
long sys_release(char *buffer, size_t n); /* of uname(2): the kernel's version */
long sys_geteuid(void);
long sys_may_write(int fd); /* its file: 0, or -errno; faccessat2(2), Linux 5.8 */
long sys_sleep(long nanoseconds);
long sys_file_limit(uint64_t *bytes);    /* soft RLIMIT_FSIZE, UINT64_MAX for none */
long sys_address_limit(uint64_t *bytes); /* soft RLIMIT_AS */

/*
 * Takes (F_RDLCK) or gives back (F_UNLCK) a lease, fcntl(2): a read lease is refused with EAGAIN
 * while anybody has the file open for writing. `signal` is what the calling thread, and nobody
 * else, is sent when an opener has to wait for the lease.
 */
long sys_lease(int fd, int type);
long sys_lease_signal(int fd, int signal);

/* The type (F_RDLCK, F_WRLCK, or F_UNLCK for none) of some POSIX lock on the file: F_OFD_GETLK. */
long sys_lock_on(int fd);

/*
 * Holds a signal back in this thread, or all that do not come from what it does itself; `old` is
 * the mask for sys_restore_signals().
 */
long sys_block_signal(int signal, uint64_t *old);
long sys_block_signals(uint64_t *old);
void sys_restore_signals(const uint64_t *old);

/* The signals that are held back and wait, as a mask: rt_sigpending(2). */
long sys_waiting_signals(uint64_t *mask);

/* Whether the program has left to the kernel what happens at a signal: rt_sigaction(2). */
long sys_signal_is_default(int signal);

/* Takes a pending signal, without waiting (EAGAIN); sends one like it to this thread. */
long sys_take_signal(int signal, siginfo_t *info);
long sys_send_signal(int signal, siginfo_t *info);

/* Linux native AIO, io_setup(2), io_submit(2) and io_getevents(2): one read; one event. */
long sys_aio_setup(unsigned requests, unsigned long *context);
long sys_aio_submit(unsigned long context, struct iocb *request);
long sys_aio_wait(unsigned long context, struct io_event *event);

/* clock_gettime(2), nanoseconds: of the wall clock (since 1970), and of one that never jumps. */
int64_t sys_wall_clock(void);
int64_t sys_steady_clock(void);

/* The wall clock as of the last tick: what older kernels stamp files with. */
int64_t sys_tick_clock(void);

/* Where the description's offset is; moves it by `by` from there, or to `offset`. */
int64_t sys_position(int fd);
int64_t sys_seek(int fd, int64_t offset);
int64_t sys_advance(int fd, int64_t by);

/* The next data, or the next hole, from `at` on; moves the offset: only for our own. */
int64_t sys_seek_data(int fd, int64_t at);
int64_t sys_seek_hole(int fd, int64_t at);

/*
 * Of the descriptor's file the mode, inode, size, device, owner and change time; of a name's, links
 * not followed, type, inode and device. Nothing else is filled in. `dir` as in openat(2).
 */
long sys_stat(int fd, struct statx *st);
long sys_stat_at(int dir, const char *path, struct statx *st);

/*
 * The block that direct I/O on the file must be aligned to, by statx(2), STATX_DIOALIGN: 0 where
 * it has none, or the file system does not say.
 */
long sys_direct_block(int fd);

/* f_type of statfs(2) for the descriptor's file system. */
long sys_fstype(int fd);

/* posix_fadvise(2) on a range; length 0 = to the end of the file. */
long sys_advise(int fd, int64_t offset, int64_t length, int advice);

/* sync_file_range(2): starts the write-out of a range; waits for it (and takes its error). */
long sys_writeout(int fd, int64_t offset, int64_t length);
long sys_writeout_wait(int fd, int64_t offset, int64_t length);

/* ftruncate(2). */
long sys_truncate(int fd, int64_t size);

/* fdatasync(2). */
long sys_datasync(int fd);

/* cachestat(2), Linux 6.5: the range's pages; EPERM for who may not write the file. */
long sys_cachestat(int fd, int64_t offset, int64_t length, struct sys_cachestat *out);

/* Memory: anonymous and zero, or a read-only shared view of a file; of the address sys_failed(). */
long sys_map(size_t length);
long sys_map_file(int fd, int64_t offset, size_t length);
long sys_unmap(void *address, size_t length);
long sys_mincore(void *address, size_t length, unsigned char *vector);
long sys_madvise(void *address, size_t length, int advice);

/* Copies `n` bytes of our own memory that may not be there: process_vm_readv(2). */
long sys_peek(const void *from, void *to, size_t n);

/*
 * Whether a raw result is an error, -4095 to -1 (include/linux/err.h, MAX_ERRNO): an address may be
 * below 0, a position beyond a long.
 */
static inline bool sys_failed(int64_t result)
{
	return (uint64_t)result > -4096ULL;
}

#endif
