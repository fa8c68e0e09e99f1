/* pattern.h - bytes that tell where they belong: the content of every test file.
 * Word n of a file is n+1 times an odd constant, so a shifted, stale or zero range shows. */
#ifndef PATTERN_H
#define PATTERN_H

#include <stddef.h>
#include <stdint.h>

/* Returns the byte that belongs at offset at. */
static inline unsigned char pattern_byte(uint64_t at)
{
	return ((at / 8 + 1) * UINT64_C(0x9E3779B97F4A7C15)) >> (at % 8 * 8);
}

/* Fills len bytes that belong at offset at. */
static inline void pattern_fill(unsigned char *p, size_t len, uint64_t at)
{
	for (size_t i = 0; i < len; i++)
		p[i] = pattern_byte(at + i);
}

/* Returns the index of the first of len bytes that does not belong at offset at, or len. */
static inline size_t pattern_check(const unsigned char *p, size_t len, uint64_t at)
{
	size_t i = 0;

	while (i < len && p[i] == pattern_byte(at + i))
		i++;
	return i;
}

#endif
