/* relaxed_write.c - tiny writes, gathered until there is a block of them. */
#include "relaxed_file.h"

#include "stream.h"
#include "sys.h"

#include <errno.h>
#include <linux/stat.h>
#include <string.h>

enum { LARGE = 256 * 1024 }; /* from here on a direct write is faster */

bool relaxed_begin_writing(struct relaxed *relaxed, int fd)
{
	int64_t size = (int64_t)file_treatment(relaxed->file)->block, at = relaxed_at(relaxed);

	size = align_down(smaller(size, BOUNCE_MOST / 4), PAGE);
	if (!relaxed->direct->writable || size < RELAXED_LEAST * 2 ||
	    !direct_is_plain(relaxed->file, fd))
		return false;
	if (!relaxed->gather.block && !bounce_begin(&relaxed->gather, size)) {
		file_note(relaxed->file, REASON_NO_MEMORY);
		return false;
	}
	relaxed->room = size;
	relaxed->base = align_down(at, relaxed->direct->block);
	relaxed->start = at;
	return true;
}

static long put_some(const struct relaxed *relaxed, int fd, int64_t to)
{
	return sys_pwrite(fd, relaxed->gather.block + (relaxed->start - relaxed->base),
			  (size_t)(to - relaxed->start), relaxed->start);
}

/* By the program's own descriptor, whose errors are the program's. */
static int put_through_cache(struct relaxed *relaxed, int fd, int64_t to)
{
	while (relaxed->start < to) {
		long moved = put_some(relaxed, fd, to);

		if (moved <= 0)
			return moved ? (int)moved : -EIO;
		relaxed->start += moved;
	}
	return 0;
}

/* As far as it goes. */
static void put_past_cache(struct relaxed *relaxed, int64_t to)
{
	int64_t block = relaxed->direct->block, start = relaxed->start;
	long moved = block;

	while (relaxed->start < to && moved > 0 && moved % block == 0) {
		moved = put_some(relaxed, relaxed->direct->writer.fd, to);
		relaxed->start += larger(moved, 0);
	}
	file_count(relaxed->file, COUNT_direct, (uint64_t)(relaxed->start - start));
}

/* The whole blocks, past the cache where they are worth it; else everything. */
static int put_blocks(struct relaxed *relaxed, int fd)
{
	struct direct *direct = relaxed->direct;
	int64_t from = direct ? align_up(relaxed->start, direct->block) : 0;
	int64_t to = direct ? align_down(relaxed->end, direct->block) : 0;
	int error;

	if (to - from < LARGE || !direct_clears(relaxed->file, fd, from, to - from) ||
	    !direct_can_write(direct, fd))
		return put_through_cache(relaxed, fd, relaxed->end);
	error = put_through_cache(relaxed, fd, from);
	if (error)
		return error;
	put_past_cache(relaxed, to);
	return put_through_cache(relaxed, fd, to);
}

/* What is left moves to the front. */
static void make_room(struct relaxed *relaxed)
{
	int64_t base = align_down(relaxed->start, relaxed->direct->block);

	memmove(relaxed->gather.block + (relaxed->start - base),
		relaxed->gather.block + (relaxed->start - relaxed->base),
		(size_t)(relaxed->end - relaxed->start));
	relaxed->base = base;
}

int relaxed_put(struct relaxed *relaxed, int fd, bool all)
{
	int64_t start = relaxed->start;
	int error = put_blocks(relaxed, fd);

	if (!error && all)
		error = put_through_cache(relaxed, fd, relaxed->end);
	if (relaxed->start > start)
		stream_did_write(relaxed->file, fd, relaxed->start,
				 (size_t)(relaxed->start - start));
	if (!error && !all)
		make_room(relaxed);
	return error;
}

static int put_quietly(struct relaxed *relaxed, int fd)
{
	struct statx st;
	int error = 0;
	uint64_t mask;

	sys_block_signals(&mask);
	if (!relaxed_is_broken(relaxed) && file_confirm(relaxed->file, fd, &st)) {
		relaxed->end = relaxed_at(relaxed);
		error = relaxed_put(relaxed, fd, false);
	}
	sys_restore_signals(&mask);
	return error;
}

/* Whether the bytes fit behind those that are there. */
static bool fits(const struct relaxed *relaxed, size_t n)
{
	return relaxed_at(relaxed) + (int64_t)n - relaxed->base <= relaxed->room;
}

ssize_t relaxed_write(struct file *file, int fd, const void *buffer, size_t n)
{
	struct relaxed *relaxed = relaxed_take(file, fd);
	int64_t at;
	int error;

	if (!relaxed)
		return FORWARD;
	if (n - 1 >= RELAXED_MOST || !relaxed_is(relaxed, fd, RELAXED_WRITING) ||
	    !usermem_readable_again(&relaxed->buffer, buffer, n))
		return relaxed_forward(relaxed, fd);
	if (!fits(relaxed, n) && (error = put_quietly(relaxed, fd)) &&
	    !relaxed_is_broken(relaxed)) {
		relaxed_release(relaxed);
		return error;
	}
	if (!fits(relaxed, n))
		return relaxed_forward(relaxed, fd);
	at = relaxed_at(relaxed);
	memcpy(relaxed->gather.block + (at - relaxed->base), buffer, n);
	return relaxed_done(relaxed, at + (int64_t)n, (ssize_t)n);
}
