/* pool.c - objects of one size, taken and given back by one atomic bit each. */
#include "pool.h"

#include "sys.h"

enum { OBJECTS = 64 }; /* of a block, one bit of `taken` each */

struct pool_block {
	_Atomic uint64_t taken; /* one bit an object */
	_Atomic(struct pool_block *) next;
	_Alignas(8) unsigned char objects[]; /* a pointer of i386 has 4 bytes */
};

static void *object_at(const struct pool *pool, struct pool_block *block, int i)
{
	return block->objects + (size_t)i * pool->size;
}

/* A bit of `taken` that was clear and is now set, or -1. */
static int take_bit(_Atomic uint64_t *taken)
{
	uint64_t seen = atomic_load_explicit(taken, memory_order_relaxed);

	while (~seen) {
		int i = __builtin_ctzll(~seen);

		/* Acquire pairs with the release in pool_give(): the last user is done with it. */
		if (atomic_compare_exchange_weak_explicit(taken, &seen, seen | 1ULL << i,
							  memory_order_acquire,
							  memory_order_relaxed))
			return i;
	}
	return -1;
}

static struct pool_block *block_new(const struct pool *pool)
{
	long memory = sys_map(sizeof(struct pool_block) + OBJECTS * pool->size);

	return sys_failed(memory) ? NULL : (struct pool_block *)memory;
}

/* The block linked at `at`; where there is none a new one is linked. */
static struct pool_block *block_at(const struct pool *pool, _Atomic(struct pool_block *) *at)
{
	struct pool_block *block = atomic_load_explicit(at, memory_order_acquire);
	struct pool_block *fresh;

	if (block || !(fresh = block_new(pool)))
		return block;
	/* Release: whoever follows the link sees the block's zeros. */
	if (atomic_compare_exchange_strong_explicit(at, &block, fresh, memory_order_release,
						    memory_order_acquire))
		return fresh;
	sys_unmap(fresh, sizeof(struct pool_block) + OBJECTS * pool->size);
	return block;
}

void *pool_take(struct pool *pool)
{
	_Atomic(struct pool_block *) *at = &pool->first;
	struct pool_block *block;

	while ((block = block_at(pool, at))) {
		int i = take_bit(&block->taken);

		if (i >= 0)
			return object_at(pool, block, i);
		at = &block->next;
	}
	return NULL;
}

void pool_give(struct pool *pool, void *object)
{
	struct pool_block *block = atomic_load_explicit(&pool->first, memory_order_acquire);

	for (; block; block = atomic_load_explicit(&block->next, memory_order_acquire)) {
		size_t from_start = (size_t)((unsigned char *)object - block->objects);

		if (from_start < OBJECTS * pool->size) {
			uint64_t bit = 1ULL << from_start / pool->size;

			atomic_fetch_and_explicit(&block->taken, ~bit, memory_order_release);
			return;
		}
	}
}

void pool_each(struct pool *pool, void (*visit)(void *object, void *data), void *data)
{
	struct pool_block *block = atomic_load_explicit(&pool->first, memory_order_acquire);

	for (; block; block = atomic_load_explicit(&block->next, memory_order_acquire)) {
		uint64_t taken = atomic_load_explicit(&block->taken, memory_order_acquire);

		for (; taken; taken &= taken - 1)
			visit(object_at(pool, block, __builtin_ctzll(taken)), data);
	}
}
