/* direct_twins.c - the descriptors of a file that are the shim's own: had, hidden and lost. */
#include "direct_file.h"

#include <fcntl.h>
#include <limits.h>

static _Atomic bool forbidden;

static bool have(struct direct *direct, struct twin *twin, int fd, int flags)
{
	if (twin->flags == flags && twin_is_ours(twin))
		return true;
	twin_close(twin, true);
	if (atomic_load_explicit(&forbidden, memory_order_relaxed)) {
		file_note(direct->file, REASON_NO_DIRECT);
		return false;
	}
	return twin_open(twin, direct->file, fd, flags);
}

bool direct_can_read(struct direct *direct, int fd)
{
	if (direct->block && direct->readable &&
	    have(direct, &direct->reader, fd, O_RDONLY | O_DIRECT)) {
		direct->pipeline.fd = direct->reader.fd;
		return true;
	}
	file_set_direct(direct->file, false);
	return false;
}

bool direct_flows(struct direct *direct, int fd, int64_t left)
{
	if (!direct_can_read(direct, fd))
		return false;
	if (!direct->flowing)
		direct->flowing = pipeline_begin(&direct->pipeline, file_treatment(direct->file),
						 left + direct->block);
	if (!direct->flowing)
		file_note(direct->file, REASON_NO_MEMORY);
	direct->pipeline.fd = direct->reader.fd;
	direct->pipeline.align = direct->block;
	return direct->flowing;
}

bool direct_can_write(struct direct *direct, int fd)
{
	if (direct->block && direct->writable &&
	    have(direct, &direct->writer, fd, O_WRONLY | O_DIRECT))
		return true;
	file_set_direct(direct->file, false);
	return false;
}

bool direct_can_serve(struct direct *direct, int fd, int flags)
{
	return have(direct, &direct->plain, fd, flags);
}

struct range {
	unsigned first;
	unsigned last;
	bool found;
};

static bool has_in(const struct twin *twin, const struct range *range)
{
	return twin_is_ours(twin) && (unsigned)twin->fd >= range->first &&
	       (unsigned)twin->fd <= range->last;
}

static void find(struct file *file, void *data)
{
	const struct direct *direct = atomic_load_explicit(&file->direct, memory_order_acquire);
	struct range *range = data;

	if (direct)
		range->found |= has_in(&direct->reader, range) || has_in(&direct->writer, range) ||
				has_in(&direct->plain, range);
}

static void lose(struct file *file, void *data)
{
	struct range range = *(const struct range *)data;

	find(file, &range);
	if (range.found)
		direct_leave(file);
}

bool direct_has(int fd)
{
	struct range range = {(unsigned)fd, (unsigned)fd, false};

	file_each(find, &range);
	return range.found;
}

void direct_lose(unsigned first, unsigned last)
{
	struct range range = {first, last, false};

	file_each(lose, &range);
}

void direct_forbid(void)
{
	atomic_store_explicit(&forbidden, true, memory_order_relaxed);
	direct_lose(0, UINT_MAX);
}
