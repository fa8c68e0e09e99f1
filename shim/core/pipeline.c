/* pipeline.c - a ring of direct reads. */
#include "pipeline.h"

#include "align.h"
#include "sys.h"

#include <errno.h>
#include <stddef.h>

/* Bytes of the first request, where not more is wanted at once, and of the least block. */
enum { RAMP_START = 128 * 1024, BLOCK_LEAST = 64 * 1024 };

/* Blocks are cut down to what is wanted, and requests to what there is room for. */
static void plan(struct pipeline *pipeline, const struct treatment *treatment, int64_t n)
{
	int64_t block = smaller((int64_t)treatment->block, BOUNCE_MOST / 2);

	pipeline->block = larger(align_up(smaller(block, n), PAGE), BLOCK_LEAST);
	pipeline->wanted = (int)smaller((int64_t)treatment->depth, INFLIGHT_DEPTH);
	pipeline->wanted = (int)larger(smaller(pipeline->wanted, BOUNCE_MOST / 2 / block), 1);
	pipeline->depth = pipeline->inflight.index < 0 ? 1 : pipeline->wanted;
}

bool pipeline_begin(struct pipeline *pipeline, const struct treatment *treatment, int64_t n)
{
	*pipeline = (struct pipeline){.fd = -1};
	inflight_begin(&pipeline->inflight, n);
	plan(pipeline, treatment, n);
	if (bounce_begin(&pipeline->bounce, pipeline->block * pipeline->depth))
		return true;
	inflight_end(&pipeline->inflight);
	return false;
}

static char *memory_of(const struct pipeline *pipeline, int place)
{
	return pipeline->bounce.block + place * pipeline->block;
}

/* What flies cannot be waited for: the kernel may write into the memory at any time. */
static void lose(struct pipeline *pipeline)
{
	for (int i = 0; i < pipeline->depth; i++)
		if (pipeline->requests[i].got == REQUEST_FLYING)
			pipeline->requests[i].got = -EIO;
	pipeline->lost = true;
}

/* Events come in any order. */
static void land(struct pipeline *pipeline, int place)
{
	int64_t got;

	while (pipeline->requests[place].got == REQUEST_FLYING) {
		int landed = inflight_wait(&pipeline->inflight, &got);

		if (landed < 0)
			lose(pipeline);
		else
			pipeline->requests[landed].got = got;
	}
}

static void drop_oldest(struct pipeline *pipeline)
{
	land(pipeline, pipeline->first);
	pipeline->first = (pipeline->first + 1) % pipeline->depth;
	pipeline->count--;
}

static void drop_all(struct pipeline *pipeline)
{
	while (pipeline->count)
		drop_oldest(pipeline);
}

void pipeline_end(struct pipeline *pipeline)
{
	drop_all(pipeline);
	if (pipeline->lost)
		return;
	inflight_end(&pipeline->inflight);
	bounce_end(&pipeline->bounce);
}

void pipeline_start(struct pipeline *pipeline, int64_t at, int64_t n, int64_t end)
{
	drop_all(pipeline);
	pace_breaks(&pipeline->pace);
	pipeline->next = align_down(at, pipeline->align);
	pipeline->end = align_up(end, pipeline->align);
	pipeline->ramp = larger(align_up(at + n, pipeline->align) - pipeline->next, RAMP_START);
}

static bool is_alone(const struct pipeline *pipeline)
{
	return pipeline->inflight.index < 0;
}

/* From now on requests fly, if there is memory for them; while none is being used. */
static void widen(struct pipeline *pipeline)
{
	struct bounce more;

	if (inflight_begin(&pipeline->inflight, INFLIGHT_WORTH) &&
	    bounce_begin(&more, pipeline->block * pipeline->wanted)) {
		bounce_end(&pipeline->bounce);
		pipeline->bounce = more;
		pipeline->first = 0;
		pipeline->depth = pipeline->wanted;
		return;
	}
	inflight_end(&pipeline->inflight);
	pipeline->wanted = 0;
}

static bool would_gain(const struct pipeline *pipeline)
{
	return is_alone(pipeline) && pipeline->wanted > 1 && !pipeline->count &&
	       pace_saves(&pipeline->pace, pipeline->end - pipeline->next) > INFLIGHT_COST;
}

static void read_alone(struct pipeline *pipeline, struct request *request, char *memory)
{
	pace_begins(&pipeline->pace);
	request->got = sys_pread(pipeline->fd, memory, (size_t)request->size, request->at);
	pace_ended(&pipeline->pace, request->size);
}

/* One more request, in flight where it can be. */
static void ask(struct pipeline *pipeline)
{
	int place = (pipeline->first + pipeline->count) % pipeline->depth;
	struct request *request = &pipeline->requests[place];
	char *memory = memory_of(pipeline, place);

	request->at = pipeline->next;
	request->size =
		smaller(smaller(pipeline->ramp, pipeline->block), pipeline->end - pipeline->next);
	request->got = REQUEST_FLYING;
	pipeline->count++;
	pipeline->next += request->size;
	pipeline->ramp = smaller(pipeline->ramp * 2, pipeline->block);
	if (pipeline->lost)
		request->got = -EIO;
	else if (is_alone(pipeline) ||
		 sys_failed(inflight_read(&pipeline->inflight, pipeline->fd, memory, request->size,
					  request->at, place)))
		read_alone(pipeline, request, memory);
}

static const struct request *oldest(const struct pipeline *pipeline)
{
	return &pipeline->requests[pipeline->first];
}

static int64_t end_of_oldest(const struct pipeline *pipeline)
{
	return oldest(pipeline)->at + oldest(pipeline)->size;
}

bool pipeline_asks(const struct pipeline *pipeline, int64_t at)
{
	return pipeline->next < pipeline->end &&
	       (pipeline->count < pipeline->depth || end_of_oldest(pipeline) <= at);
}

bool pipeline_reaches(const struct pipeline *pipeline, int64_t at)
{
	if (at >= pipeline->end)
		return false;
	if (!pipeline->count)
		return at >= pipeline->next && at - pipeline->next < pipeline->align;
	return at >= oldest(pipeline)->at && at <= pipeline->next;
}

int64_t pipeline_at(struct pipeline *pipeline, int64_t at, const char **data)
{
	const struct request *request;

	while (pipeline->count && end_of_oldest(pipeline) <= at)
		drop_oldest(pipeline);
	if (would_gain(pipeline))
		widen(pipeline);
	while (pipeline->count < pipeline->depth && pipeline->next < pipeline->end)
		ask(pipeline);
	if (!pipeline->count)
		return 0;
	request = oldest(pipeline);
	land(pipeline, pipeline->first);
	if (request->got < 0)
		return request->got;
	*data = memory_of(pipeline, pipeline->first) + (at - request->at);
	return larger(request->got - (at - request->at), 0);
}
