/*
 * record.h - the text of a log record, from records.def.
 *
 * Pure: composes into memory of the caller. A record is one line of at most RECORD_MAX bytes, so
 * that one write(2) to an O_APPEND descriptor keeps the records of many processes apart.
 */
#ifndef NOCACHE_RECORD_H
#define NOCACHE_RECORD_H

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

enum { RECORD_MAX = 4096 };

enum record_type { RECORD_file, RECORD_process };

/* What every record begins with. */
struct record_head {
	int64_t time; /* ns since 1970, UTC */
	int64_t pid;
	const char *prog;
};

/* The values of a record, by key; a type uses only its own. Strings must not be NULL. */
struct record {
	const char *path, *fs, *mode, *policy, *asked, *reason;
	int64_t size, read, written, reads, writes, direct, bounced;
	int64_t cached_before, cached_after, dirty_after, peak, dropped;
	int64_t files, swap_in, swap_out;
	int64_t secs; /* ns */
};

/* Composes the line, newline included, as `key=value` words or as one JSON object. */
void record_compose(struct text *line, bool json, enum record_type type,
		    const struct record_head *head, const struct record *record);

#endif
