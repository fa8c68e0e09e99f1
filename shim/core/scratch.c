/* scratch.c - buffers that are taken and given back by one flag each. */
#include "scratch.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCRATCHES = 8 };

static _Atomic bool taken[SCRATCHES];
static char buffers[SCRATCHES][SCRATCH_SIZE];

char *scratch_take(void)
{
	/* Acquire pairs with the release below: the last user is done with it. */
	for (int i = 0; i < SCRATCHES; i++)
		if (!atomic_exchange_explicit(&taken[i], true, memory_order_acquire))
			return buffers[i];
	return NULL;
}

void scratch_give(char *scratch)
{
	for (int i = 0; i < SCRATCHES; i++)
		if (scratch == buffers[i])
			atomic_store_explicit(&taken[i], false, memory_order_release);
}

void scratch_forked(void)
{
	for (int i = 0; i < SCRATCHES; i++)
		scratch_give(buffers[i]);
}
