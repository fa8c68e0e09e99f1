/* align.h - rounding of offsets and sizes to powers of two, and the smaller and larger of two. */
#ifndef NOCACHE_ALIGN_H
#define NOCACHE_ALIGN_H

#include <stdint.h>

enum { PAGE = 4096 }; /* the unit of the bookkeeping; the kernel's pages are this or a multiple */

#define KIB ((int64_t)1 << 10)
#define MIB ((int64_t)1 << 20)

static inline int64_t align_down(int64_t n, int64_t unit)
{
	return n & ~(unit - 1);
}

static inline int64_t align_up(int64_t n, int64_t unit)
{
	return align_down(n + unit - 1, unit);
}

static inline int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif
