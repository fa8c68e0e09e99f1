/* dontcache.c - which transfers get RWF_DONTCACHE. */
#include "dontcache.h"
#include "dontcache_effect.h"

#include "fsinfo.h"
#include "stream.h"
#include "sys.h"
#include "text.h"
#include "usermem.h"
#include "writeback.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>

/* linux/fs.h; not in older headers. */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif

/* 6.14 brought it, and with it pages that were freed twice: repaired in 6.16 (mm/filemap.c). */
enum { FIRST_MAJOR = 6, FIRST_MINOR = 16 };

struct transfer {
	struct file *file;
	int fd;
	const struct iovec *iov;
	int count;
	int64_t offset;
	int flags;
	bool writes;
};

static bool is_recent(const char *release)
{
	uint64_t major, minor;

	if (!text_read_unsigned(&release, &major) || *release++ != '.' ||
	    !text_read_unsigned(&release, &minor))
		return false;
	return major > FIRST_MAJOR || (major == FIRST_MAJOR && minor >= FIRST_MINOR);
}

bool dontcache_trusted(void)
{
	static _Atomic int known; /* 1: yes, -1: no */
	int has = atomic_load_explicit(&known, memory_order_relaxed);
	char release[80];

	if (has)
		return has > 0;
	has = !sys_failed(sys_release(release, sizeof(release))) && is_recent(release) ? 1 : -1;
	atomic_store_explicit(&known, has, memory_order_relaxed);
	return has > 0;
}

void dontcache_give_up(struct file *file, enum reason reason)
{
	file_note(file, reason);
	file_set_dontcache(file, false);
}

void dontcache_begin(struct file *file, int fd)
{
	enum fsinfo_dontcache known = fsinfo_dontcache(fd, file->dev);

	file_set_dontcache(file, true);
	if (!dontcache_trusted() || known == FSINFO_REFUSES)
		dontcache_give_up(file, REASON_NO_DONTCACHE);
	else if (known == FSINFO_IGNORES)
		dontcache_give_up(file, REASON_NO_EFFECT);
}

/* Bytes of the vector; 0 where the kernel would not take it all. */
static int64_t bytes_of(const struct iovec *iov, int count)
{
	int64_t n = usermem_total(iov, count);

	return n <= SYS_CALL_MOST ? larger(n, 0) : 0;
}

/* The program's own O_DIRECT is left alone; the flags are asked for until the first transfer. */
static bool is_buffered(struct file *file, int fd)
{
	long flags = O_DIRECT;

	if (!atomic_load_explicit(&file->own_direct, memory_order_relaxed))
		flags = file_dontcached(file) ? 0 : sys_getflags(fd);
	if (!sys_failed(flags) && !(flags & O_DIRECT))
		return true;
	file_note(file, REASON_OWN_DIRECT);
	return false;
}

/*
 * Whether the write goes where nothing was cached before. What the file has grown by is the
 * stream's own.
 */
static bool clears(const struct transfer *of, int64_t n)
{
	struct file *file = of->file;
	int64_t at, cached;

	if (!file_treatment(file)->keep || !file->old_size)
		return true;
	at = of->offset < 0 ? sys_position(of->fd) : of->offset;
	if (at >= align_up(file->old_size, PAGE))
		return true;
	cached = residency_bytes(file->probe, of->fd, align_down(at, PAGE), n + at % PAGE);
	if (cached)
		file_note(file, cached < 0 ? REASON_KEEP_UNKNOWN : REASON_CACHED);
	return !cached;
}

/* The flag was refused: by the file system, if the descriptor still means the file. */
static void refused(struct file *file, int fd)
{
	struct statx st;
	bool same = file_confirm(file, fd, &st);

	if (same)
		fsinfo_learn_dontcache(fd, file->dev, FSINFO_REFUSES);
	dontcache_give_up(file, same ? REASON_NO_DONTCACHE : REASON_CHANGED);
}

/*
 * Makes the call. EOPNOTSUPP comes before a byte has moved; it may mean a flag of the program's.
 * ENOSYS: an emulator or a sandbox without the call, whatever the kernel's number.
 */
static ssize_t call(const struct transfer *of)
{
	int flags = of->flags | RWF_DONTCACHE;
	ssize_t moved = of->writes ? sys_pwritev2(of->fd, of->iov, of->count, of->offset, flags)
				   : sys_preadv2(of->fd, of->iov, of->count, of->offset, flags);

	if (moved == -EOPNOTSUPP || moved == -ENOSYS) {
		if (!of->flags)
			refused(of->file, of->fd);
		return FORWARD;
	}
	if (moved > 0)
		atomic_fetch_add_explicit(&of->file->dontcached, (uint64_t)moved,
					  memory_order_relaxed);
	return moved;
}

/*
 * Where others have pages of the file the stream reads: it knows whose they are, also of what the
 * kernel has read ahead when the program stops.
 */
static bool has_others_pages(struct file *file)
{
	if (file_before(file) == BEFORE_NOTHING)
		return false;
	file_note(file, REASON_CACHED);
	return true;
}

/* The call with the flag, where it may have it; nothing is counted. */
static ssize_t try_read(const struct transfer *of)
{
	ssize_t moved;

	if (!is_buffered(of->file, of->fd) || has_others_pages(of->file))
		return FORWARD;
	moved = call(of);
	if (moved > 0) {
		stream_did_read(of->file, (size_t)moved);
		dontcache_look_after_read(of->file, of->fd, of->offset, moved);
		file_note_peak(of->file, of->fd);
	}
	return moved;
}

ssize_t dontcache_read(struct file *file, int fd, const struct iovec *iov, int count,
		       int64_t offset, int flags)
{
	struct transfer of = {file, fd, iov, count, offset, flags, false};
	ssize_t moved;

	if (bytes_of(iov, count) < DONTCACHE_READ_LEAST)
		return FORWARD;
	moved = try_read(&of);
	if (moved == FORWARD)
		return moved;
	file_count(file, COUNT_reads, 1);
	if (moved > 0)
		file_count(file, COUNT_read, (uint64_t)moved);
	return moved;
}

ssize_t dontcache_read_piece(struct file *file, int fd, void *buffer, size_t n, int64_t offset)
{
	struct iovec iov = {buffer, n};
	struct transfer of = {file, fd, &iov, 1, offset, 0, false};

	return file_may_dontcache(file) ? try_read(&of) : FORWARD;
}

static ssize_t try_write(const struct transfer *of)
{
	int64_t n = bytes_of(of->iov, of->count);

	if (n < DONTCACHE_WRITE_LEAST || !is_buffered(of->file, of->fd))
		return FORWARD;
	if (!writeback_allowed()) {
		file_note(of->file, REASON_SIZE_LIMIT);
		return FORWARD;
	}
	return clears(of, n) ? call(of) : FORWARD;
}

ssize_t dontcache_write(struct file *file, int fd, const struct iovec *iov, int count,
			int64_t offset, int flags)
{
	struct transfer of = {file, fd, iov, count, offset, flags, true};
	ssize_t moved = try_write(&of);

	if (moved == FORWARD)
		return moved;
	file_count(file, COUNT_writes, 1);
	if (moved > 0) {
		file_count(file, COUNT_written, (uint64_t)moved);
		stream_did_write(file, fd, offset < 0 ? -1 : offset + moved, (size_t)moved);
		dontcache_look_after_write(file, fd, offset, moved);
	}
	return moved;
}

ssize_t dontcache_write_piece(struct file *file, int fd, const void *buffer, size_t n,
			      int64_t offset)
{
	struct iovec iov = {(void *)buffer, n};
	struct transfer of = {file, fd, &iov, 1, offset, 0, true};
	ssize_t moved = FORWARD;

	if (dontcache_wants_write(file, n))
		moved = try_write(&of);
	if (moved > 0)
		dontcache_look_after_write(file, fd, offset, moved);
	return moved == FORWARD ? sys_pwrite(fd, buffer, n, offset) : moved;
}
