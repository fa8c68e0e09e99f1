/*
 * scratch.h - a few buffers for texts and paths that would not fit the small stacks that wrappers
 * may run on.
 *
 * Lock-free and callable from signal handlers.
 */
#ifndef NOCACHE_SCRATCH_H
#define NOCACHE_SCRATCH_H

enum { SCRATCH_SIZE = 8192 };

/* A buffer of SCRATCH_SIZE bytes, or NULL while all are in use. */
char *scratch_take(void);

/* Gives it back; NULL is none. */
void scratch_give(char *scratch);

/* In the child of fork(2): the threads that held buffers are not here. */
void scratch_forked(void);

#endif
