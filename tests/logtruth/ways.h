/*
 * ways.h - what the ways of ways.def share. Each is run in a directory that holds src, SIZE bytes
 * of lines; none looks at the bytes, which other suites do.
 */
#ifndef WAYS_H
#define WAYS_H

#include "../progs/prog.h"

/* What a way moves; and where a file system can share blocks, which takes whole ones alone. */
enum { SOME = 300000, SOME_BLOCKS = SOME / 4096 * 4096 };
#undef SIZE
#define SIZE 1200006 /* of lines of six bytes; prog.h has a larger src */

extern unsigned char way_buffer[2 << 20];

#define WAY(name, read, written, sources, sinks, unseen_read, unseen_written) void by_##name(void);
#include "ways.def"
#undef WAY

static inline void must_move(ssize_t moved, ssize_t n, const char *what)
{
	must(moved == n, what);
}

static inline FILE *must_open(const char *name, const char *mode)
{
	FILE *fp = fopen(name, mode);

	must(fp != NULL, name);
	return fp;
}

/* What is run again by its name (execl(3)) is in no table. */
void by_standard_input(void);

#endif
