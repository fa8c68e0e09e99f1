/*
 * fake_sweep.h - one program again and again, each time with a fault at another call of the shim's.
 *
 * The program runs once without a fault, to learn which calls there are; then in a process of its
 * own for each of them and each result that it may have. A fault is one call that fails or is cut
 * short; with it all of its kind that follow may fail, or the program's next transfer. What the
 * kernel has no error for does not fail: a seek within an open file, a signal mask, a clock.
 */
#ifndef NOCACHE_FAKE_SWEEP_H
#define NOCACHE_FAKE_SWEEP_H

#include <stdbool.h>

/*
 * Runs `program`, which asserts what it must see, with every fault of each call (SCOPE=all) or
 * with one. Fails where it makes fewer than `least` calls that can fail.
 */
void sweep(void (*program)(void), unsigned long least);

/* The program is about to make a call of its own. */
void sweep_step(void);

/*
 * Whether the fault since then was in a transfer that the shim made in place of the program's own,
 * so that the program is told: the result that it had, or 0.
 */
long sweep_told(void);

#endif
