/*
 * bounce.h - the memory that O_DIRECT moves bytes through: aligned, huge pages where there are.
 *
 * Direct I/O into ordinary pages is two to three times slower than the page cache. What a process
 * may hold at once is bounded; nothing is inherited by a child, for the device may be writing.
 */
#ifndef NOCACHE_BOUNCE_H
#define NOCACHE_BOUNCE_H

#include <stdbool.h>
#include <stdint.h>

/* Most bytes of a process. */
enum { BOUNCE_MOST = 64 * 1024 * 1024 };

struct bounce {
	char *block; /* NULL for none */
	int64_t size;
	char *map;
	int64_t mapped;
};

/* Whether the kernel gives huge pages to who asks for them. */
bool bounce_is_huge(void);

/*
 * At least `size` bytes; false where there is no memory, no more for this process, or a limit of
 * its address space (RLIMIT_AS), which it may need to the last. What was not had may be ended.
 */
bool bounce_begin(struct bounce *bounce, int64_t size);
void bounce_end(struct bounce *bounce);

/* In the child of fork(2): none is here. */
void bounce_forked(void);

#endif
