/* direct_copy.c - a large copy inside one call, past the page cache on one side or both. */
#include "direct_file.h"

#include "signals.h"
#include "stream.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

/* Copies from which `auto`, and `direct`, think it worth opening twins. */
enum { AUTO_WORTH = 16 * 1024 * 1024, DIRECT_WORTH = 1024 * 1024 };

/* A copy in progress. A side that is not direct goes through the program's own descriptor. */
struct copying {
	struct direct_end *in;
	struct direct_end *out;
	struct direct *from; /* held, or NULL where the source is not direct */
	struct direct *to;
	struct bounce bounce; /* where the source is not direct */
	int64_t align;
	int64_t end;     /* of the source's part */
	int64_t stands;  /* the source's own offset, which the destination's keeps up with */
	int64_t size;    /* of the destination: behind it nothing need be written to be zero */
	uint64_t before; /* the program's signal mask */
};

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

/* The next bytes of the source, or none. */
static int64_t get(struct copying *copying, int64_t end, const char **data)
{
	struct direct_end *in = copying->in;
	int64_t n;

	if (copying->from)
		return smaller(pipeline_at(&copying->from->pipeline, in->at, data), end - in->at);
	n = smaller(end - in->at, copying->bounce.size);
	if (in->file)
		stream_will_read(in->file, in->fd, in->at, (size_t)n);
	n = sys_pread(in->fd, copying->bounce.block, (size_t)n, in->at);
	if (in->file && n > 0)
		stream_did_read(in->file, (size_t)n);
	*data = copying->bounce.block;
	return n;
}

/* Moves the descriptions' own offsets so that the source's is `at`. */
static void stand(struct copying *copying, int64_t at)
{
	int64_t by = at - copying->stands;

	if (by && copying->in->own)
		sys_advance(copying->in->fd, by);
	if (by && copying->out->own)
		sys_advance(copying->out->fd, by);
	copying->stands = at;
}

/* Puts them where they belong; returns how many went, maybe less. */
static int64_t put(struct copying *copying, const char *data, int64_t n)
{
	struct direct_end *out = copying->out;

	if (copying->to)
		return sys_pwrite(copying->to->writer.fd, data, (size_t)n, out->at);
	n = sys_pwrite(out->fd, data, (size_t)n, out->at);
	if (out->file && n > 0)
		stream_did_write(out->file, out->fd, out->at + n, (size_t)n);
	return n;
}

/*
 * The same, with the offsets moved right before: no signal breaks off a direct write that has
 * begun, so whoever dies in the middle leaves them where the bytes end.
 */
static int64_t stand_and_put(struct copying *copying, const char *data, int64_t n)
{
	int64_t whole = copying->to ? align_down(n, copying->align) : n, done;

	stand(copying, copying->in->at + whole);
	done = put(copying, data, whole);
	copying->in->at += larger(done, 0);
	copying->out->at += larger(done, 0);
	stand(copying, copying->in->at);
	return done;
}

/* Copies the data up to `end`; returns whether all of it. */
static bool copy_data(struct copying *copying, int64_t end)
{
	const char *data;
	int64_t n;

	if (copying->from)
		pipeline_start(&copying->from->pipeline, copying->in->at,
			       copying->from->pipeline.block, end);
	while (copying->in->at < end) {
		signals_let_end(&copying->before);
		n = get(copying, end, &data);
		if (n <= 0 || (n = stand_and_put(copying, data, n)) <= 0)
			return false;
		if (copying->to && n % copying->align)
			return false;
	}
	return true;
}

/*
 * The end of the hole that starts where the source stands, as far as it need not be written: the
 * last block is, so that the destination gets its size.
 */
static int64_t hole_end(const struct copying *copying)
{
	int64_t data;

	if (!copying->from || copying->out->at < copying->size)
		return copying->in->at;
	data = sys_seek_data(copying->from->reader.fd, copying->in->at);
	if (data == -ENXIO || data > copying->end)
		data = copying->end;
	data = align_down(smaller(data, copying->end - 1), copying->align);
	return larger(data, copying->in->at);
}

static int64_t data_end(const struct copying *copying, int64_t at)
{
	int64_t hole;

	if (!copying->from)
		return copying->end;
	if (copying->out->at < copying->size)
		return smaller(at + align_up(copying->size - copying->out->at, copying->align),
			       copying->end);
	hole = sys_seek_hole(copying->from->reader.fd, at);
	return smaller(hole <= at ? at + copying->align : align_up(hole, copying->align),
		       copying->end);
}

/* Skips a hole and copies the data behind it; a hole that nothing was written behind is undone. */
static bool copy_extent(struct copying *copying)
{
	int64_t hole = hole_end(copying) - copying->in->at, start;
	bool all;

	copying->in->at += hole;
	copying->out->at += hole;
	start = copying->in->at;
	all = copy_data(copying, data_end(copying, start));
	if (copying->in->at == start) {
		copying->in->at -= hole;
		copying->out->at -= hole;
	}
	return all;
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
	while (copying->in->at < copying->end && copy_extent(copying))
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
