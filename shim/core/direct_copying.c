/* direct_copying.c - the bytes and holes of a large copy, from side to side. */
#include "direct_copying.h"

#include "signals.h"
#include "stream.h"
#include "sys.h"

#include <errno.h>

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

bool copying_extent(struct copying *copying)
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
