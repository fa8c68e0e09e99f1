/* fake_sys.c - the functions of sys.h on the fake kernel. */
#include "fake_sys.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

enum { DONTCACHE_FLAG = 0x80 };

long sys_openat(int dirfd, const char *path, int flags, int mode)
{
	struct fake_description *description;
	struct fake_file *file;
	int fd;

	ck_assert_int_eq(dirfd, AT_FDCWD);
	if (!fake_begin(CALL_openat))
		return fake_result;
	if (sscanf(path, "/proc/self/fd/%d", &fd) == 1)
		file = fake_at(fd) ? fake_at(fd)->file : NULL;
	else
		file = fake_find(path);
	if (!file && flags & O_CREAT)
		(file = fake_text(path, ""))->mode = S_IFREG | (uint32_t)mode;
	if (!file)
		return -ENOENT;
	if (flags & O_DIRECT && file->refuses_direct)
		return -EINVAL;
	description = fake_description(file, flags & ~(O_CLOEXEC | O_CREAT));
	description->hidden = true;
	fd = fake_number(description, 3);
	fake_begin_on(CALL_openat, fd, 0, 0, flags);
	fake.calls[CALL_openat]--;
	return fd;
}

/* The number is free whatever it returns: close(2), "Dealing with error returns". */
long sys_close(int fd)
{
	struct fake_description *description = fake_at(fd);
	bool good = fake_begin_on(CALL_close, fd, 0, 0, 0);

	if (!description)
		return fake_result;
	ck_assert_msg(description->hidden, "a descriptor of the program's was closed");
	ck_assert_msg(!description->file->locked || description->flags & O_PATH,
		      "a lock of the program's was dropped");
	fake_close(fd);
	return good ? 0 : fake_result;
}

static ssize_t move(enum fake_call call, int fd, void *to, const void *from, size_t n,
		    int64_t offset)
{
	struct fake_description *description = fake_begin_on(call, fd, offset, (int64_t)n, 0);

	return description ? fake_move(description, to, from, n < fake_most ? n : fake_most, offset)
			   : fake_result;
}

long sys_read(int fd, void *buffer, size_t n)
{
	return move(CALL_read, fd, buffer, NULL, n, -1);
}

long sys_write(int fd, const void *buffer, size_t n)
{
	return move(CALL_write, fd, NULL, buffer, n, -1);
}

long sys_pread(int fd, void *buffer, size_t n, int64_t offset)
{
	ck_assert_int_ge(offset, 0);
	return move(CALL_pread, fd, buffer, NULL, n, offset);
}

long sys_pwrite(int fd, const void *buffer, size_t n, int64_t offset)
{
	ck_assert_int_ge(offset, 0);
	return move(CALL_pwrite, fd, NULL, buffer, n, offset);
}

/* One vector is enough for the tests. RWF_APPEND moves only where the description's own is. */
static long move_with_flags(enum fake_call call, int fd, const struct iovec *iov, bool writes,
			    int64_t offset, int flags)
{
	return move(call, fd, writes ? NULL : iov->iov_base, writes ? iov->iov_base : NULL,
		    iov->iov_len,
		    flags & RWF_APPEND && offset >= 0 ? fake_at(fd)->file->size : offset);
}

/* The same, and of the pages that came in none stays. */
static long move_uncached(enum fake_call call, int fd, const struct iovec *iov, bool writes,
			  int64_t offset, int flags)
{
	struct fake_file *file = fake_at(fd)->file;
	int64_t from = offset < 0 ? fake_at(fd)->offset : offset;
	unsigned char *old;
	long moved;

	if (file->dontcache == REFUSES) {
		fake.calls[call]++;
		return -EOPNOTSUPP;
	}
	pages_reserve(file, from + (int64_t)iov->iov_len + 1);
	old = malloc((size_t)(file->room / PAGE));
	memcpy(old, file->pages, (size_t)(file->room / PAGE));
	moved = move_with_flags(call, fd, iov, writes, offset, flags);
	if (moved > 0)
		file->uncached += moved;
	if (moved > 0 && file->dontcache == OBEYS)
		pages_drop_new(file, from, from + moved, old);
	free(old);
	return moved;
}

/* A page that is not there is not waited for; reading it begins. */
static long move_at_once(enum fake_call call, int fd, const struct iovec *iov, int64_t offset)
{
	struct fake_file *file = fake_at(fd)->file;

	ck_assert_int_ge(offset, 0);
	if (offset >= file->size || file->pages[offset / PAGE] & CACHED)
		return move_with_flags(call, fd, iov, false, offset, 0);
	if (!fake_begin_on(call, fd, offset, (int64_t)iov->iov_len, 0))
		return fake_result;
	pages_bring_in(file, align_down(offset, PAGE), align_down(offset, PAGE) + PAGE, 0);
	return -EAGAIN;
}

static long moves(enum fake_call call, int fd, const struct iovec *iov, bool writes, int64_t offset,
		  int flags)
{
	if (flags & DONTCACHE_FLAG && fake_at(fd))
		return move_uncached(call, fd, iov, writes, offset, flags);
	if (flags & RWF_NOWAIT && fake_at(fd))
		return move_at_once(call, fd, iov, offset);
	return move_with_flags(call, fd, iov, writes, offset, flags);
}

long sys_preadv2(int fd, const struct iovec *iov, int count, int64_t offset, int flags)
{
	ck_assert_int_eq(count, 1);
	return moves(CALL_preadv2, fd, iov, false, offset, flags);
}

long sys_pwritev2(int fd, const struct iovec *iov, int count, int64_t offset, int flags)
{
	ck_assert_int_eq(count, 1);
	if (flags & RWF_APPEND && fake_at(fd) && offset < 0)
		fake_at(fd)->offset = fake_at(fd)->file->size;
	return moves(CALL_pwritev2, fd, iov, true, offset, flags);
}

long sys_release(char *buffer, size_t n)
{
	if (!fake_begin(CALL_release))
		return fake_result;
	strncpy(buffer, fake.release, n);
	return 0;
}

long sys_getflags(int fd)
{
	struct fake_description *description = fake_begin_on(CALL_getflags, fd, 0, 0, 0);

	return description ? description->flags : fake_result;
}

long sys_setflags(int fd, int flags)
{
	struct fake_description *description = fake_begin_on(CALL_setflags, fd, 0, 0, flags);

	if (!description)
		return fake_result;
	description->flags = flags;
	return 0;
}

long sys_duplicate(int fd, int least)
{
	struct fake_description *description = fake_begin_on(CALL_duplicate, fd, 0, 0, 0);

	ck_assert_int_gt(least, 2);
	return description ? fake_number(description, least > FAKE_HIGH ? FAKE_HIGH : least)
			   : fake_result;
}

long sys_getcwd(char *buffer, size_t n)
{
	if (!fake_begin(CALL_getcwd))
		return fake_result;
	return snprintf(buffer, n, "/start") + 1;
}

long sys_readlink(const char *path, char *buffer, size_t n)
{
	int fd = -1;

	if (!fake_begin(CALL_readlink))
		return fake_result;
	if (sscanf(path, "/proc/self/fd/%d", &fd) != 1 || !fake_at(fd))
		return -ENOENT;
	return (long)strnlen(strncpy(buffer, fake_at(fd)->file->path, n), n);
}

static int64_t seek(int fd, int64_t offset, int whence)
{
	struct fake_description *description = fake_begin_on(CALL_lseek, fd, offset, 0, whence);
	int64_t to = offset;

	if (!description)
		return fake_result;
	if (whence == SEEK_CUR && __builtin_add_overflow(description->offset, offset, &to))
		return -EOVERFLOW;
	if (to < 0)
		return -EINVAL;
	return description->offset = to;
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

long sys_direct_block(int fd)
{
	struct fake_description *description = fake_begin_on(CALL_direct_block, fd, 0, 0, 0);

	return description ? description->file->direct_block : fake_result;
}

/* The next page that is a hole, or is not; the end of the file is a hole. */
static int64_t seek_for(int fd, int64_t at, bool hole)
{
	struct fake_description *description =
		fake_begin_on(CALL_lseek, fd, at, 0, hole ? SEEK_HOLE : SEEK_DATA);
	const struct fake_file *file;

	if (!description)
		return fake_result;
	ck_assert_msg(description->hidden, "the program's offset was moved");
	file = description->file;
	if (at < 0 || at >= file->size)
		return -ENXIO;
	while (at < file->size && fake_is_hole(file, at) != hole)
		at = align_down(at, PAGE) + PAGE;
	if (at >= file->size && !hole)
		return -ENXIO;
	return description->offset = smaller(at, file->size);
}

int64_t sys_seek_data(int fd, int64_t at)
{
	return seek_for(fd, at, false);
}

int64_t sys_seek_hole(int fd, int64_t at)
{
	return seek_for(fd, at, true);
}

long sys_stat(int fd, struct statx *st)
{
	struct fake_description *description = fake_begin_on(CALL_stat, fd, 0, 0, 0);

	if (!description)
		return fake_result;
	*st = (struct statx){
		.stx_mode = (uint16_t)description->file->mode,
		.stx_ino = description->file->ino,
		.stx_size = (uint64_t)description->file->size,
		.stx_uid = description->file->uid,
		.stx_ctime = {.tv_sec = description->file->changed / 1000000000,
			      .tv_nsec = (uint32_t)(description->file->changed % 1000000000)},
		.stx_dev_major = 8,
		.stx_dev_minor = description->file->minor,
	};
	return 0;
}

long sys_stat_at(int dir, const char *path, struct statx *st)
{
	const struct fake_file *file = fake_find(path);

	ck_assert_int_eq(dir, AT_FDCWD);
	if (!file)
		return -ENOENT;
	*st = (struct statx){
		.stx_ino = file->ino, .stx_dev_major = 8, .stx_dev_minor = file->minor};
	return 0;
}

long sys_fstype(int fd)
{
	struct fake_description *description = fake_begin_on(CALL_fstype, fd, 0, 0, 0);

	return description ? description->file->fstype : fake_result;
}

/* The end of a range, of which length 0 is all. */
static int64_t range_end(int64_t offset, int64_t length)
{
	ck_assert_int_ge(offset, 0);
	ck_assert_int_ge(length, 0);
	ck_assert_int_le(offset, INT64_MAX - length);
	return length ? offset + length : INT64_MAX;
}

long sys_advise(int fd, int64_t offset, int64_t length, int advice)
{
	struct fake_description *description =
		fake_begin_on(CALL_advise, fd, offset, length, advice);
	int64_t end = range_end(offset, length);
	struct fake_file *file;

	if (!description)
		return fake_result;
	file = description->file;
	ck_assert_int_eq(advice == POSIX_FADV_DONTNEED ? offset % PAGE : 0, 0);
	if (advice == POSIX_FADV_RANDOM || advice == POSIX_FADV_NORMAL)
		description->random = advice == POSIX_FADV_RANDOM;
	if (advice == POSIX_FADV_WILLNEED)
		pages_bring_in(file, offset, file->piece ? smaller(end, offset + file->piece) : end,
			       0);
	if (advice == POSIX_FADV_DONTNEED)
		pages_drop(file, offset, end);
	return 0;
}

long sys_writeout(int fd, int64_t offset, int64_t length)
{
	struct fake_description *description = fake_begin_on(CALL_writeout, fd, offset, length, 0);

	if (description)
		pages_start_io(description->file, offset, range_end(offset, length));
	return description ? 0 : fake_result;
}

static long wait_for(enum fake_call call, int fd, int64_t offset, int64_t length)
{
	struct fake_description *description = fake_begin_on(call, fd, offset, length, 0);
	long error;

	if (!description)
		return fake_result;
	pages_start_io(description->file, offset, range_end(offset, length));
	pages_end_io(description->file);
	error = description->file->write_error;
	description->file->write_error = 0;
	return error;
}

long sys_writeout_wait(int fd, int64_t offset, int64_t length)
{
	return wait_for(CALL_writeout_wait, fd, offset, length);
}

/* Of a log, which is looked at as a string. */
long sys_truncate(int fd, int64_t size)
{
	struct fake_description *description = fake_begin_on(CALL_truncate, fd, size, 0, 0);

	if (!description)
		return fake_result;
	ck_assert_msg(description->hidden, "a file of the program's was cut");
	memset(description->file->data + size, 0, (size_t)(description->file->size - size));
	fake_truncate(description->file, size);
	return 0;
}

long sys_datasync(int fd)
{
	return wait_for(CALL_datasync, fd, 0, 0);
}

long sys_cachestat(int fd, int64_t offset, int64_t length, struct sys_cachestat *out)
{
	struct fake_description *description = fake_begin_on(CALL_cachestat, fd, offset, length, 0);
	int64_t end = range_end(offset, length);
	const struct fake_file *file;

	if (!description)
		return fake_result;
	*out = (struct sys_cachestat){0};
	if ((file = description->file)->blind)
		return 0;
	out->cached = (uint64_t)fake_bytes(file, CACHED, offset, end) / PAGE;
	out->dirty = (uint64_t)fake_bytes(file, DIRTY, offset, end) / PAGE;
	out->writeback = (uint64_t)fake_bytes(file, UNDER_IO, offset, end) / PAGE;
	return 0;
}
