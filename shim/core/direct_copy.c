/* direct_copy.c - a large copy inside one call, both sides past the page cache. */
#include "direct_file.h"

#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

/* Copies from which `auto`, and `direct`, think it worth opening two twins. */
enum { AUTO_WORTH = 16 * 1024 * 1024, DIRECT_WORTH = 1024 * 1024 };

/* A copy in progress: both ends held, both twins open. */
struct copying {
	struct direct_end *in;
	struct direct_end *out;
	struct direct *from;
	struct direct *to;
	int64_t end;  /* of the source's part */
	int64_t size; /* of the destination: behind it nothing need be written to be zero */
};

static bool is_worth(const struct file *file, int64_t n)
{
	return (file->asked == POLICY_AUTO && n >= AUTO_WORTH && bounce_is_huge()) ||
	       (file->asked == POLICY_DIRECT && n >= DIRECT_WORTH);
}

/* A source that is in the cache is best taken from there, where the choice is ours. */
static bool suits(const struct direct_end *in, const struct direct_end *out, int64_t n)
{
	if (!in->file || !out->file || !is_worth(out->file, n) || !is_worth(in->file, n))
		return false;
	if (!in->file->may_be_direct || !out->file->may_be_direct || in->at < 0 || out->at < 0)
		return false;
	if (in->file->before == BEFORE_ALL && in->file->asked == POLICY_AUTO)
		return false;
	return !atomic_load_explicit(&in->file->mapped, memory_order_relaxed);
}

/* Writes what the pipeline has from the source's offset on; returns false where that stops. */
static bool copy_some(struct copying *copying, int64_t end)
{
	const char *data;
	int64_t n = pipeline_at(&copying->from->pipeline, copying->in->at, &data);

	n = align_down(smaller(larger(n, 0), end - copying->in->at), copying->to->block);
	if (n)
		n = sys_pwrite(copying->to->writer.fd, data, (size_t)n, copying->out->at);
	if (n <= 0)
		return false;
	copying->in->at += n;
	copying->out->at += n;
	return n % copying->to->block == 0;
}

/* Copies the data up to `end`; returns whether all of it. */
static bool copy_data(struct copying *copying, int64_t end)
{
	struct pipeline *pipeline = &copying->from->pipeline;

	pipeline_start(pipeline, copying->in->at, pipeline->block, end);
	while (copying->in->at < end)
		if (!copy_some(copying, end))
			return false;
	return true;
}

/*
 * The end of the hole that starts where the source stands, as far as it need not be written: the
 * last block is, so that the destination gets its size. ENXIO: there is no data from there on; any
 * other error says nothing of holes, and all is copied.
 */
static int64_t hole_end(const struct copying *copying)
{
	int64_t block = larger(copying->from->block, copying->to->block);
	int64_t data = sys_seek_data(copying->from->reader.fd, copying->in->at);

	if (copying->out->at < copying->size || (data < 0 && data != -ENXIO))
		return copying->in->at;
	if (data < 0 || data > copying->end)
		data = copying->end;
	return larger(align_down(smaller(data, copying->end - block), block), copying->in->at);
}

static int64_t data_end(const struct copying *copying, int64_t at)
{
	int64_t block = larger(copying->from->block, copying->to->block);
	int64_t hole = sys_seek_hole(copying->from->reader.fd, at);

	if (hole < 0)
		return copying->end;
	return smaller(hole <= at ? at + block : align_up(hole, block), copying->end);
}

/* Skips a hole and copies the data behind it; a hole that nothing was written behind is undone. */
static bool copy_extent(struct copying *copying)
{
	int64_t hole = hole_end(copying) - copying->in->at, start, end;
	bool all;

	copying->in->at += hole;
	copying->out->at += hole;
	start = copying->in->at;
	end = copying->out->at < copying->size ? copying->end : data_end(copying, start);
	all = copy_data(copying, end);
	if (copying->in->at == start) {
		copying->in->at -= hole;
		copying->out->at -= hole;
	}
	return all;
}

static bool begin(struct copying *copying, int64_t n)
{
	struct direct *from = copying->from;

	if (!direct_can_read(from, copying->in->fd) ||
	    !direct_can_write(copying->to, copying->out->fd))
		return false;
	from->current = false;
	if (!from->flowing)
		from->flowing = pipeline_begin(&from->pipeline, &copying->in->file->treatment, n);
	from->pipeline.fd = from->reader.fd;
	from->pipeline.align = larger(from->block, copying->to->block);
	return from->flowing;
}

/* Both ends are held. */
static void copy_held(struct copying *copying, int64_t n)
{
	int64_t block = larger(copying->from->block, copying->to->block);
	struct statx in, out;

	if (!file_confirm(copying->in->file, copying->in->fd, &in) ||
	    !file_confirm(copying->out->file, copying->out->fd, &out) || !S_ISREG(in.stx_mode) ||
	    !S_ISREG(out.stx_mode) || !block)
		return;
	n = align_down(smaller(n, file_size(&in) - copying->in->at), block);
	if (copying->in->at % block || copying->out->at % block ||
	    !is_worth(copying->out->file, n) ||
	    !direct_is_plain(copying->out->file, copying->out->fd) ||
	    !direct_clears(copying->out->file, copying->out->fd, copying->out->at, n) ||
	    !begin(copying, n))
		return;
	copying->end = copying->in->at + n;
	copying->size = file_size(&out);
	while (copying->in->at < copying->end && copy_extent(copying))
		;
}

static void count(struct file *file, int64_t n)
{
	file_count(file, COUNT_direct, (uint64_t)n);
	file_count(file, COUNT_bounced, (uint64_t)n);
}

int64_t direct_copy(struct direct_end *in, struct direct_end *out, int64_t n)
{
	struct copying copying = {.in = in, .out = out};
	int64_t start = in->at;

	if (!suits(in, out, n) || !(copying.from = direct_hold(in->file, in->fd)))
		return 0;
	if ((copying.to = direct_hold(out->file, out->fd))) {
		copy_held(&copying, n);
		direct_release(copying.to);
	}
	direct_release(copying.from);
	count(in->file, in->at - start);
	count(out->file, in->at - start);
	return in->at - start;
}
