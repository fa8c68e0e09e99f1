/* stream_room.c - the sum of what the windows of this process hold. */
#include "stream_room.h"

static _Atomic int64_t taken;

void room_take(struct window *window, int64_t bytes)
{
	int64_t before = atomic_exchange_explicit(&window->held, bytes, memory_order_relaxed);

	if (bytes != before)
		atomic_fetch_add_explicit(&taken, bytes - before, memory_order_relaxed);
}

int64_t room_left(void)
{
	int64_t left = ROOM_MOST - atomic_load_explicit(&taken, memory_order_relaxed);

	return larger(left, ROOM_LEAST);
}

void room_forked(void)
{
	atomic_store_explicit(&taken, 0, memory_order_relaxed);
}
