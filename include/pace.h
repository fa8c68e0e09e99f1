/*
 * pace.h - how long a stream takes to read its blocks one at a time, and how long to use them.
 *
 * Both at once would save the shorter of the two. Times in ns of the steady clock.
 */
#ifndef NOCACHE_PACE_H
#define NOCACHE_PACE_H

#include <stdint.h>

struct pace {
	int64_t reading; /* time spent waiting for reads, */
	int64_t used;    /* between them, */
	int64_t bytes;   /* and what they asked for */
	int64_t ended;   /* when the last one ended; 0: nothing follows it */
};

/* A read begins; it ended, and asked for `n` bytes. */
void pace_begins(struct pace *pace);
void pace_ended(struct pace *pace, int64_t n);

/* The next read does not follow the last one: the time between them tells nothing. */
void pace_breaks(struct pace *pace);

/* What reading ahead would save of the next `n` bytes, as far as is known. */
int64_t pace_saves(const struct pace *pace, int64_t n);

#endif
