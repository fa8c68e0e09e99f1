/*
 * pool.h - objects of one size that are never given back to the kernel, so that a stale pointer
 * to one stays readable.
 *
 * Lock-free and callable from signal handlers. Memory grows by one block at a time as objects
 * are taken and is never proportional to a limit.
 */
#ifndef NOCACHE_POOL_H
#define NOCACHE_POOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct pool_block;

struct pool {
	size_t size; /* of one object, a multiple of 8 */
	_Atomic(struct pool_block *) first;
};

/* A free object with whatever its last user left in it (zeros at first), or NULL. */
void *pool_take(struct pool *pool);

/* Gives an object back. */
void pool_give(struct pool *pool, void *object);

/* Calls visit() with every object that is taken now. */
void pool_each(struct pool *pool, void (*visit)(void *object, void *data), void *data);

#endif
