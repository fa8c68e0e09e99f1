/*
 * stream_room.h - how much page cache the streams of this process may hold together.
 *
 * Each window says what it holds. No window may hold more than what is left of the whole: so those
 * that are busy come to hold the same, and what idle ones keep is not counted as free (the dynamic
 * thresholds of shared switch buffers, Choudhury and Hahne, 1998). Where nothing is left each still
 * has the least that is worth a request to the disk.
 */
#ifndef NOCACHE_STREAM_ROOM_H
#define NOCACHE_STREAM_ROOM_H

#include "file.h"

enum { ROOM_MOST = 256 * 1024 * 1024, ROOM_LEAST = 256 * 1024 };

/* The window holds `bytes` from now on, instead of what it said before. */
void room_take(struct window *window, int64_t bytes);

/* The most that a window may hold now. */
int64_t room_left(void);

/* In the child of fork(2), whose windows hold nothing. */
void room_forked(void);

#endif
