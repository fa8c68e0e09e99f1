/* relaxed_read.c - tiny reads, served from what was read ahead and not asked about again. */
#include "relaxed_file.h"

#include "sys.h"

#include <linux/stat.h>
#include <string.h>

bool relaxed_begin_reading(struct relaxed *relaxed, int fd, int64_t size)
{
	struct direct *direct = relaxed->direct;
	int64_t at = relaxed_at(relaxed);

	if (size - at < RELAXED_LEAST || !direct_flows(direct, fd, size - at))
		return false;
	pipeline_start(&direct->pipeline, at, RELAXED_MOST, size);
	relaxed->from = relaxed->to = at;
	return true;
}

/* The next block, unless the file changed its meaning; none at the end of the file. */
static bool advance(struct relaxed *relaxed, int fd, int64_t at)
{
	struct direct *direct = relaxed->direct;
	struct statx st;
	int64_t got;

	if (relaxed_is_broken(relaxed) || !file_confirm(relaxed->file, fd, &st) ||
	    !direct_can_read(direct, fd) || !pipeline_reaches(&direct->pipeline, at))
		return false;
	got = pipeline_at(&direct->pipeline, at, &relaxed->data);
	relaxed->from = at;
	relaxed->to = at + larger(got, 0);
	return got > 0;
}

static bool advance_quietly(struct relaxed *relaxed, int fd, int64_t at)
{
	uint64_t mask;
	bool done;

	sys_block_signals(&mask);
	done = advance(relaxed, fd, at);
	sys_restore_signals(&mask);
	return done;
}

/* Over the end of a block. At the end of the file the kernel is asked, which may know of more. */
static ssize_t read_across(struct relaxed *relaxed, int fd, char *to, int64_t n)
{
	int64_t at = relaxed_at(relaxed), end = at + n, some;

	for (; at < end; at += some, to += some) {
		if (at == relaxed->to && !advance_quietly(relaxed, fd, at))
			return relaxed_forward(relaxed, fd);
		some = smaller(end, relaxed->to) - at;
		memcpy(to, relaxed->data + (at - relaxed->from), (size_t)some);
	}
	return relaxed_done(relaxed, end, n);
}

ssize_t relaxed_read(struct file *file, int fd, void *buffer, size_t n)
{
	struct relaxed *relaxed = relaxed_take(file, fd);
	int64_t at;

	if (!relaxed)
		return FORWARD;
	if (n - 1 >= RELAXED_MOST || !relaxed_is(relaxed, fd, RELAXED_READING) ||
	    !usermem_writable(&relaxed->buffer, buffer, n))
		return relaxed_forward(relaxed, fd);
	at = relaxed_at(relaxed);
	if (relaxed->to - at < (int64_t)n)
		return read_across(relaxed, fd, buffer, (int64_t)n);
	memcpy(buffer, relaxed->data + (at - relaxed->from), n);
	return relaxed_done(relaxed, at + (int64_t)n, (ssize_t)n);
}
