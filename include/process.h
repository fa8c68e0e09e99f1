/*
 * process.h - in which process, and in which thread, we are.
 *
 * Where the kernel has no MADV_WIPEONFORK (before Linux 4.14) a fork child cannot be told from a
 * vfork child; it then changes nothing, and its files are left alone.
 */
#ifndef NOCACHE_PROCESS_H
#define NOCACHE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* This process owns the table. */
void process_begin(void);

/* Whether this is the child of a fork that has not called process_own() yet. No system call. */
bool process_is_new(void);
void process_own(void);

/* Whether this process owns the table: false in a vfork child, which runs in its memory. */
bool process_is_owner(void);

/* Stands for the running thread: the address of something of its own, known without a call. */
extern __thread char process_thread_own;

static inline uintptr_t process_thread(void)
{
	return (uintptr_t)&process_thread_own;
}

#endif
