/*
 * pipeline.h - the bytes of a file in order, read by O_DIRECT ahead of who wants them.
 *
 * A ring of requests, each of one block of a bounce buffer: the oldest is being used, the others
 * are in flight. Where no asynchronous read is to be had there is one request at a time; so there
 * is at first where the stream is short, until its pace shows what reading ahead would save. The
 * caller knows whether what was read ahead is still true (direct.h).
 */
#ifndef NOCACHE_PIPELINE_H
#define NOCACHE_PIPELINE_H

#include "bounce.h"
#include "inflight.h"
#include "pace.h"
#include "policy.h"

#include <stdbool.h>
#include <stdint.h>

struct request {
	int64_t at;   /* file offset of its first byte */
	int64_t size; /* bytes asked for */
	int64_t got;  /* bytes read or -errno; REQUEST_FLYING before */
};

#define REQUEST_FLYING INT64_MIN

struct pipeline {
	int fd;        /* opened with O_DIRECT */
	int64_t align; /* of offsets and sizes */
	int64_t block; /* bytes of a request that is full */
	int depth;
	int wanted; /* the depth that reading ahead would have; 0: it is not to be had */
	struct pace pace;
	struct bounce bounce;
	struct inflight inflight;
	int64_t ramp; /* size of the next request: doubles until it is a block */
	int64_t next; /* offset of the next request */
	int64_t end;  /* nothing is asked for from there on */
	int first;    /* place of the oldest request in the ring */
	int count;
	bool lost; /* memory and context are not used again, nor given back */
	struct request requests[INFLIGHT_DEPTH];
};

/*
 * Prepares reading up to `end`, of which `n` bytes are likely to be wanted; false where there is
 * no memory. `fd` and `align` may be changed between requests.
 */
bool pipeline_begin(struct pipeline *pipeline, const struct treatment *treatment, int64_t n);

/* Waits for what is in flight and gives the memory back. */
void pipeline_end(struct pipeline *pipeline);

/* Starts over at `at`, with a first request that covers `n` bytes; nothing behind `end`. */
void pipeline_start(struct pipeline *pipeline, int64_t at, int64_t n, int64_t end);

/*
 * The bytes at `at`, which follows the last one asked for or lies ahead of it: `*data`, valid
 * until the next call. Returns how many there are, 0 at the end of the file, or -errno.
 */
int64_t pipeline_at(struct pipeline *pipeline, int64_t at, const char **data);

/*
 * Whether `at` can be had without starting over; and whether reading up to it would make new
 * requests, for which `fd` must be good.
 */
bool pipeline_reaches(const struct pipeline *pipeline, int64_t at);
bool pipeline_asks(const struct pipeline *pipeline, int64_t at);

#endif
