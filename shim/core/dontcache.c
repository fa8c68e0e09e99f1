/* dontcache.c - which transfers get RWF_DONTCACHE, and whether it had its effect. */
#include "dontcache.h"

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

/* Pages go some time after their write-out: how often they are looked for, and how far apart. */
enum { NAPS = 20, NAP_NS = 1000000 };

/* Written bytes after which the first are looked for. */
enum { LOOK_AFTER = 4 * 1024 * 1024 };

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

static void give_up(struct file *file, enum reason reason)
{
	file_note(file, reason);
	file->may_dontcache = false;
}

void dontcache_begin(struct file *file, int fd)
{
	enum fsinfo_dontcache known = fsinfo_dontcache(fd, file->dev);

	file->may_dontcache = true;
	if (!dontcache_trusted() || known == FSINFO_REFUSES)
		give_up(file, REASON_NO_DONTCACHE);
	else if (known == FSINFO_IGNORES)
		give_up(file, REASON_NO_EFFECT);
}

/* Bytes of the vector; 0 where the kernel would not take it all. */
static int64_t bytes_of(const struct iovec *iov, int count)
{
	size_t n = 0;

	for (int i = 0; i < count; i++)
		if (!usermem_spans(iov[i].iov_base, iov[i].iov_len) ||
		    (n += iov[i].iov_len) > SYS_CALL_MOST)
			return 0;
	return (int64_t)n;
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

	if (!file->treatment.keep || !file->old_size)
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
	give_up(file, same ? REASON_NO_DONTCACHE : REASON_CHANGED);
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

static bool stays(const struct file *file, int fd, int64_t from, int64_t n)
{
	int64_t cached = residency_bytes(file->probe, fd, from, n);

	for (int naps = 0; cached > 0 && naps < NAPS; naps++) {
		sys_sleep(NAP_NS);
		cached = residency_bytes(file->probe, fd, from, n);
	}
	return cached != 0;
}

/* The pages are there as if there were no flag: from now on the stream sees to them alone. */
static void has_no_effect(struct file *file)
{
	atomic_store_explicit(&file->dontcached, 0, memory_order_relaxed);
	give_up(file, REASON_NO_EFFECT);
}

/* Of a stream of writes the first is looked for, when it has had time to get to the disk. */
static void look_for_written(struct file *file, int fd, int64_t end, int64_t moved)
{
	uint64_t done = file_dontcached(file);
	enum fsinfo_dontcache seen = FSINFO_OBEYS;

	if (done == (uint64_t)moved) {
		file->dontcache_at = align_down(end - moved, PAGE);
		file->dontcache_bytes = moved;
	}
	if (done < LOOK_AFTER)
		return;
	file->dontcache_seen = true;
	writeback_wait(file, fd, file->dontcache_at, file->dontcache_at + file->dontcache_bytes);
	if (stays(file, fd, file->dontcache_at, align_down(file->dontcache_bytes, PAGE))) {
		has_no_effect(file);
		seen = FSINFO_IGNORES;
	}
	if (!file->old_size)
		fsinfo_learn_dontcache(fd, file->dev, seen);
}

static void look_after_write(const struct transfer *of, int64_t moved)
{
	struct file *file = of->file;

	if (file->dontcache_seen || fsinfo_dontcache(of->fd, file->dev) == FSINFO_OBEYS ||
	    !file_hold(file))
		return;
	look_for_written(file, of->fd, of->offset < 0 ? sys_position(of->fd) : of->offset + moved,
			 moved);
	file_release(file);
}

/* Of a stream of reads the first is looked for at once: its pages go before the call returns. */
static void look_after_read(const struct transfer *of, int64_t moved)
{
	struct file *file = of->file;
	int64_t end, half = align_down(moved / 2, PAGE);

	if (file->dontcache_seen || file_counted(file, COUNT_reads) || !file_hold(file))
		return;
	file->dontcache_seen = true;
	end = of->offset < 0 ? sys_position(of->fd) : of->offset + moved;
	if (residency_bytes(file->probe, of->fd, align_up(end - moved, PAGE), half) > half / 2)
		has_no_effect(file);
	file_release(file);
}

/* What the kernel's readahead holds of the file goes when it is read. */
static void note_peak(struct file *file, int fd)
{
	if (file->accounted && file->probe == PROBE_CACHESTAT)
		file->peak = larger(file->peak, residency_bytes(file->probe, fd, 0, INT64_MAX));
}

/*
 * Where others have pages of the file the stream reads: it knows whose they are, also of what the
 * kernel has read ahead when the program stops.
 */
static bool has_others_pages(struct file *file)
{
	if (file->before == BEFORE_NOTHING)
		return false;
	file_note(file, REASON_CACHED);
	return true;
}

/* The call alone, where it may be made with the flag. */
static ssize_t read_so(const struct transfer *of)
{
	ssize_t moved;

	if (!is_buffered(of->file, of->fd) || has_others_pages(of->file))
		return FORWARD;
	moved = call(of);
	if (moved > 0) {
		stream_did_read(of->file, (size_t)moved);
		look_after_read(of, moved);
		note_peak(of->file, of->fd);
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
	moved = read_so(&of);
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

	return file->may_dontcache ? read_so(&of) : FORWARD;
}

static ssize_t write_so(const struct transfer *of)
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
	ssize_t moved = write_so(&of);

	if (moved == FORWARD)
		return moved;
	file_count(file, COUNT_writes, 1);
	if (moved > 0) {
		file_count(file, COUNT_written, (uint64_t)moved);
		stream_did_write(file, fd, offset < 0 ? -1 : offset + moved, (size_t)moved);
		look_after_write(&of, moved);
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
		moved = write_so(&of);
	if (moved > 0)
		look_after_write(&of, moved);
	return moved == FORWARD ? sys_pwrite(fd, buffer, n, offset) : moved;
}
