/* copy.c - calls by which the kernel moves bytes between descriptors. */
#include "direct.h"
#include "slices.h"
#include "wrap.h"

#include "sys.h"
#include "writeback.h"

#include <linux/stat.h>

/* One end of a copy: descriptor, record (or NULL) and the program's offset (or NULL). */
struct end {
	int fd;
	struct file *file;
	off64_t *offset;
};

/* The program's pointer may be bad, which is the kernel's to say: it is not followed here. */
static off64_t at(const struct end *end)
{
	off64_t offset = -1;

	if (end->offset && sys_failed(sys_peek(end->offset, &offset, sizeof(offset))))
		return -1;
	return offset;
}

/* Where an end stands: the program's offset, or the description's own. */
static off64_t stands(const struct end *end)
{
	return end->offset ? at(end) : sys_position(end->fd);
}

/* What there is to copy, where that is little for sure: nothing need be asked about it. */
static size_t at_most(const struct end *in, size_t n)
{
	const struct file *file = in->file;

	if (!file || !file->old_size || file->old_size > SLICE || file_counted(file, COUNT_written))
		return n;
	return n < (size_t)file->old_size ? n : (size_t)file->old_size;
}

static void will_copy(const struct end *in, size_t n)
{
	if (in->file)
		engine_reads(in->file, in->fd, at(in), at_most(in, n));
}

/* The program's offsets have moved already. */
static void did_copy(const struct end *in, const struct end *out, ssize_t n)
{
	if (in->file && n > 0)
		stream_did_read(in->file, (size_t)n);
	if (out->file && n > 0)
		stream_did_write(out->file, out->fd, at(out), (size_t)n);
}

static ssize_t counted(const struct end *in, const struct end *out, ssize_t n)
{
	uint64_t moved = (uint64_t)larger(n, 0);

	if (in->file) {
		file_count(in->file, COUNT_reads, 1);
		file_count(in->file, COUNT_read, moved);
	}
	if (out->file) {
		file_count(out->file, COUNT_writes, 1);
		file_count(out->file, COUNT_written, moved);
	}
	return n;
}

/*
 * Whether the bytes just copied went through the page cache. If not, the file system shares
 * extents or copies on its server, and is best left to do it all at once.
 */
static bool came_through_cache(const struct end *out, ssize_t n)
{
	return !out->file || residency_bytes(out->file->probe, out->fd,
					     align_down(stands(out) - n, PAGE), n) != 0;
}

/* Whether a range overflows an offset: an error that only the whole call gets. */
static bool reaches_too_far(const struct end *end, size_t n)
{
	off64_t last;

	return __builtin_add_overflow(larger(stands(end), 0), n, &last);
}

/* Whether slices give what the whole call would: see slices.c; and a file copied onto itself. */
static bool exact(const struct end *in, const struct end *out, size_t n)
{
	if (at_most(in, n) <= SLICE || (!in->file && !out->file) || reaches_too_far(in, n) ||
	    reaches_too_far(out, n))
		return false;
	if (in->file && out->file && in->file->ino == out->file->ino &&
	    in->file->dev == out->file->dev)
		return false;
	return writeback_allowed();
}

typedef ssize_t copy_call(const struct end *in, const struct end *out, size_t n, unsigned flags);

static ssize_t copy_slice(copy_call *call, const struct end *in, const struct end *out, size_t n,
			  unsigned flags)
{
	ssize_t copied;

	will_copy(in, (size_t)smaller((int64_t)n, SLICE));
	copied = call(in, out, n, flags);
	did_copy(in, out, copied);
	return copied;
}

/*
 * The whole blocks of what is left, past the cache. The kernel has moved both offsets before, so
 * the program's pointers are good.
 */
static size_t copy_past_cache(const struct end *in, const struct end *out, size_t n)
{
	struct direct_end from = {in->file, in->fd, stands(in), !in->offset};
	struct direct_end to = {out->file, out->fd, stands(out), !out->offset};
	int64_t copied = direct_copy(&from, &to, (int64_t)n);

	if (in->offset)
		*in->offset += copied;
	if (out->offset)
		*out->offset += copied;
	return (size_t)copied;
}

static ssize_t copy_slices(copy_call *call, const struct end *in, const struct end *out, size_t n,
			   unsigned flags)
{
	int error = result_error();
	size_t done = 0, piece = SLICE;
	ssize_t copied;

	for (; done < n; done += (size_t)copied) {
		piece = n - done < piece ? n - done : piece;
		copied = copy_slice(call, in, out, piece, flags);
		if (copied < 0 && done) {
			result_restore(error);
			break;
		}
		if (copied < 0)
			return copied;
		if ((size_t)copied < piece)
			return (ssize_t)done + copied;
		if (done)
			continue;
		if (came_through_cache(out, copied))
			done = copy_past_cache(in, out, n - (size_t)copied);
		else
			piece = SYS_CALL_MOST;
	}
	return (ssize_t)done;
}

static ssize_t copy(copy_call *call, const struct end *in, const struct end *out, size_t n,
		    unsigned flags)
{
	size_t most = n < SYS_CALL_MOST ? n : SYS_CALL_MOST;

	if (exact(in, out, n))
		return counted(in, out, copy_slices(call, in, out, most, flags));
	return counted(in, out, copy_slice(call, in, out, n, flags));
}

static ssize_t call_copy_file_range(const struct end *in, const struct end *out, size_t n,
				    unsigned flags)
{
	return next.copy_file_range(in->fd, in->offset, out->fd, out->offset, n, flags);
}

static ssize_t call_splice(const struct end *in, const struct end *out, size_t n, unsigned flags)
{
	return next.splice(in->fd, in->offset, out->fd, out->offset, n, flags);
}

static ssize_t call_sendfile(const struct end *in, const struct end *out, size_t n, unsigned flags)
{
	(void)flags;
	return next.sendfile64(out->fd, in->fd, in->offset, n);
}

EXPORT ssize_t copy_file_range(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t n,
			       unsigned flags)
{
	struct end from = {in, managed(in), in_offset}, to = {out, managed(out), out_offset};

	if (!from.file && !to.file)
		return next.copy_file_range(in, in_offset, out, out_offset, n, flags);
	return copy(call_copy_file_range, &from, &to, n, flags);
}

EXPORT ssize_t sendfile64(int out, int in, off64_t *offset, size_t n)
{
	struct end from = {in, managed(in), offset}, to = {out, managed(out), NULL};

	if (!from.file && !to.file)
		return next.sendfile64(out, in, offset, n);
	return copy(call_sendfile, &from, &to, n, 0);
}

/*
 * With a narrow offset libc is asked, whose limit is 2 GiB, and the offset that the engine sees is
 * a copy: it follows by what was sent.
 */
static ssize_t sendfile_narrow(int out, int in, off_t *offset, size_t n)
{
	off64_t wide = -1;
	off_t narrow;
	struct end from = {in, managed(in), &wide}, to = {out, managed(out), NULL};
	ssize_t sent;

	if (!sys_failed(sys_peek(offset, &narrow, sizeof(narrow))))
		wide = narrow;
	will_copy(&from, n);
	sent = next.sendfile(out, in, offset, n);
	wide += larger(sent, 0);
	did_copy(&from, &to, sent);
	return counted(&from, &to, sent);
}

EXPORT ssize_t sendfile(int out, int in, off_t *offset, size_t n)
{
	if (sizeof(*offset) < sizeof(off64_t) && offset)
		return sendfile_narrow(out, in, offset, n);
	return sendfile64(out, in, (off64_t *)offset, n);
}

/* One end of a splice is a pipe, whose room bounds the call. */
EXPORT ssize_t splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t n,
		      unsigned flags)
{
	struct end from = {in, managed(in), in_offset}, to = {out, managed(out), out_offset};

	if (!from.file && !to.file)
		return next.splice(in, in_offset, out, out_offset, n, flags);
	return counted(&from, &to, copy_slice(call_splice, &from, &to, n, flags));
}

/* Between pipes, and from memory: no file's bytes. */
FORWARDED(ssize_t, tee, (int in, int out, size_t n, unsigned flags), (in, out, n, flags),
	  ensure_started())
FORWARDED(ssize_t, vmsplice, (int fd, const struct iovec *iov, size_t count, unsigned flags),
	  (fd, iov, count, flags), ensure_started())
