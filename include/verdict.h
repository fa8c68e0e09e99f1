/*
 * verdict.h - what functions return that may carry out a call of the program in the kernel's place:
 * the bytes moved, -errno, or FORWARD.
 */
#ifndef NOCACHE_VERDICT_H
#define NOCACHE_VERDICT_H

/*
 * Nothing was done: the call is forwarded untouched, or the kernel's refusal of it stands. No
 * -errno is as low (include/linux/err.h, MAX_ERRNO).
 */
enum { FORWARD = -4096 };

#endif
