/* direct_copying.h - what the parts of direct_copy() share. */
#ifndef NOCACHE_DIRECT_COPYING_H
#define NOCACHE_DIRECT_COPYING_H

#include "direct_file.h"

#include <stdbool.h>
#include <stdint.h>

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

/*
 * Skips a hole of the source and copies the data behind it; returns whether all of that. A hole
 * that nothing was written behind is undone.
 */
bool copying_extent(struct copying *copying);

#endif
