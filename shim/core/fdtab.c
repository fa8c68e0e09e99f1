/* fdtab.c - which open file a descriptor means. Lock-free; callable from signal handlers. */
#include "fdtab.h"

#include "sys.h"

#include <stddef.h>

static fdtab_slot first_chunk[FDTAB_CHUNK];
_Atomic(fdtab_slot *) fdtab_chunks[FDTAB_CHUNKS] = {first_chunk};

static fdtab_slot *chunk_made(_Atomic(fdtab_slot *) *at)
{
	fdtab_slot *chunk = atomic_load_explicit(at, memory_order_acquire);
	long memory;

	if (chunk)
		return chunk;
	memory = sys_map(FDTAB_CHUNK * sizeof(fdtab_slot));
	if (sys_failed(memory))
		return NULL;
	if (atomic_compare_exchange_strong_explicit(at, &chunk, (fdtab_slot *)memory,
						    memory_order_acq_rel, memory_order_acquire))
		return (fdtab_slot *)memory;
	sys_unmap((void *)memory, FDTAB_CHUNK * sizeof(fdtab_slot));
	return chunk;
}

static fdtab_slot *slot_of(int fd)
{
	fdtab_slot *chunk;

	if ((unsigned)fd >= FDTAB_LIMIT)
		return NULL;
	chunk = chunk_made(&fdtab_chunks[fd / FDTAB_CHUNK]);
	return chunk ? &chunk[fd % FDTAB_CHUNK] : NULL;
}

uintptr_t fdtab_swap(int fd, uintptr_t slot)
{
	fdtab_slot *at = slot_of(fd);

	return at ? atomic_exchange_explicit(at, slot, memory_order_acq_rel) : FD_ALONE;
}

bool fdtab_change(int fd, uintptr_t old, uintptr_t slot)
{
	fdtab_slot *at = slot_of(fd);

	return at && atomic_compare_exchange_strong_explicit(at, &old, slot, memory_order_acq_rel,
							     memory_order_acquire);
}

void fdtab_forget_opened(void)
{
	for (int i = 0; i < FDTAB_CHUNKS; i++) {
		fdtab_slot *chunk = atomic_load_explicit(&fdtab_chunks[i], memory_order_acquire);

		for (int k = 0; chunk && k < FDTAB_CHUNK; k++)
			if (atomic_load_explicit(&chunk[k], memory_order_relaxed) == FD_OPENED)
				fdtab_change(i * FDTAB_CHUNK + k, FD_OPENED, FD_UNKNOWN);
	}
}

static void each_of_chunk(fdtab_slot *chunk, unsigned start, unsigned first, unsigned last,
			  void (*visit)(int fd, uintptr_t slot, void *data), void *data)
{
	for (unsigned i = 0; i < FDTAB_CHUNK; i++) {
		uintptr_t slot = atomic_load_explicit(&chunk[i], memory_order_acquire);

		if (fdtab_is_record(slot) && start + i >= first && start + i <= last)
			visit((int)(start + i), slot, data);
	}
}

void fdtab_each(unsigned first, unsigned last, void (*visit)(int fd, uintptr_t slot, void *data),
		void *data)
{
	for (unsigned i = first / FDTAB_CHUNK; i < FDTAB_CHUNKS && i <= last / FDTAB_CHUNK; i++) {
		fdtab_slot *chunk = atomic_load_explicit(&fdtab_chunks[i], memory_order_acquire);

		if (chunk)
			each_of_chunk(chunk, i * FDTAB_CHUNK, first, last, visit, data);
	}
}
