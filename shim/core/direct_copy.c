/* direct_copy.c - a large copy inside one call, past the page cache on one side or both. */
#include "direct_copying.h"

#include "sys.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

/* Copies from which `auto`, and `direct`, think it worth opening twins. */
enum { AUTO_WORTH = 16 * 1024 * 1024, DIRECT_WORTH = 1024 * 1024 };

static bool is_worth(const struct file *file, int64_t n)
{
	if (!file || !file_may_be_direct(file))
		return false;
	return (file_asked(file) == POLICY_AUTO && n >= AUTO_WORTH && bounce_is_huge()) ||
	       (file_asked(file) == POLICY_DIRECT && n >= DIRECT_WORTH);
}

static bool is_auto(const struct file *file)
{
	return file && file_asked(file) == POLICY_AUTO;
}

/* A source that is in the cache is best taken from there, where the choice is ours. */
static bool source_suits(const struct direct_end *in, int64_t n)
{
	return is_worth(in->file, n) &&
	       !(is_auto(in->file) && file_before(in->file) == BEFORE_ALL) &&
	       !atomic_load_explicit(&in->file->mapped, memory_order_relaxed);
}

/* Prepares the source's side; NULL where it is not direct after all. */
static struct direct *begin_source(struct copying *copying, int64_t n)
{
	struct direct *from = copying->from;

	from->current = false;
	if (!direct_flows(from, copying->in->fd, n))
		return NULL;
	from->pipeline.align = copying->align;
	return from;
}

static struct direct *begin_destination(struct copying *copying, int64_t n)
{
	struct direct *to = copying->to;
	struct direct_end *out = copying->out;
	int64_t start = align_down(out->at, PAGE);

	if (!to->block || (copying->in->at | out->at) % copying->align ||
	    !direct_is_plain(out->file, out->fd) ||
	    !direct_clears(out->file, out->fd, start, align_up(out->at + n, PAGE) - start))
		return NULL;
	return direct_can_write(to, out->fd) ? to : NULL;
}

/* Decides which sides are direct; false where neither is, or one only and the choice is ours. */
static bool begin(struct copying *copying, int64_t n)
{
	struct direct *to = copying->to ? begin_destination(copying, n) : NULL;
	struct direct *from = copying->from ? begin_source(copying, n) : NULL;
	bool both = from && to;

	copying->from = from;
	copying->to = to;
	if (!both && (is_auto(copying->in->file) || is_auto(copying->out->file)))
		return false;
	/* A write to the cache may be broken off: then its own offset is the kernel's to move. */
	if (!to && copying->out->own)
		return false;
	/* pwrite(2), BUGS: with O_APPEND it does not write where it is told to. */
	if (!to && sys_getflags(copying->out->fd) & O_APPEND)
		return false;
	return from || (to && bounce_begin(&copying->bounce,
					   (int64_t)file_treatment(copying->out->file)->block));
}

static bool is_file(const struct direct_end *end, struct statx *st)
{
	return !sys_failed(sys_stat(end->fd, st)) && S_ISREG(st->stx_mode) &&
	       (!end->file || file_confirm(end->file, end->fd, st));
}

static bool is_same(const struct statx *in, const struct statx *out)
{
	return in->stx_ino == out->stx_ino && file_dev(in) == file_dev(out);
}

/* What is to be direct is held. */
static void copy_held(struct copying *copying, int64_t n)
{
	struct statx in, out;

	if (!is_file(copying->in, &in) || !is_file(copying->out, &out) || is_same(&in, &out))
		return;
	n = smaller(n, file_size(&in) - copying->in->at);
	copying->align = larger(copying->from ? copying->from->block : 0,
				copying->to ? copying->to->block : 0);
	if (!copying->align || n < DIRECT_WORTH || !begin(copying, n))
		return;
	copying->end = copying->in->at + (copying->to ? align_down(n, copying->align) : n);
	copying->size = file_size(&out);
	while (copying->in->at < copying->end && copying_extent(copying))
		;
	bounce_end(&copying->bounce);
}

static void count(const struct direct_end *end, const struct direct *direct, int64_t n)
{
	if (!direct)
		return;
	file_count(end->file, COUNT_direct, (uint64_t)n);
	file_count(end->file, COUNT_bounced, (uint64_t)n);
}

int64_t direct_copy(struct direct_end *in, struct direct_end *out, int64_t n)
{
	struct copying copying = {.in = in, .out = out, .stands = in->at};
	struct direct *from = NULL, *to = NULL;
	int64_t start = in->at;

	if (in->at < 0 || out->at < 0 || sys_failed(sys_block_signals(&copying.before)))
		return 0;
	if (source_suits(in, n))
		from = copying.from = direct_hold(in->file, in->fd);
	if (is_worth(out->file, n))
		to = copying.to = direct_hold(out->file, out->fd);
	copy_held(&copying, n);
	count(in, copying.from, in->at - start);
	count(out, copying.to, in->at - start);
	if (to)
		direct_release(to);
	if (from)
		direct_release(from);
	sys_restore_signals(&copying.before);
	return in->at - start;
}
