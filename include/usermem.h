/*
 * usermem.h - whether memory that the program passed is there, asked before we touch it ourselves.
 *
 * A bad buffer is an error that the kernel names (EFAULT), and must not become a signal. The
 * kernel is asked to fault the pages in (madvise(2), MADV_POPULATE_READ and _WRITE, Linux 5.14),
 * as its own copy would; where it refuses, the call is left to the kernel.
 */
#ifndef NOCACHE_USERMEM_H
#define NOCACHE_USERMEM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a program's memory ends: TASK_SIZE in the kernel's arch/, for i386 of a 64-bit kernel. */
#if defined(__x86_64__)
#define USERMEM_END (((uintptr_t)1 << 47) - 4096)
#elif defined(__aarch64__)
#define USERMEM_END ((uintptr_t)1 << 48)
#else
#define USERMEM_END ((uintptr_t)0xffffe000)
#endif

/*
 * Whether [buffer, buffer + n) lies where a program's memory can be. The kernel looks at the whole
 * length before it moves a byte (access_ok() in arch/x86/include/asm/uaccess_64.h), even of what
 * the file has not.
 */
static inline bool usermem_spans(const void *buffer, size_t n)
{
	uintptr_t from = (uintptr_t)buffer, most = USERMEM_END;

	return n <= most && from <= most - n;
}

struct iovec; /* sys/uio.h */

/* Bytes of a vector; -1 where a part of it lies where no memory can be. */
int64_t usermem_total(const struct iovec *iov, int count);

/* Counts the calls by which the program changed its memory map. */
extern _Atomic unsigned usermem_changes;

static inline void usermem_changed(void)
{
	atomic_fetch_add_explicit(&usermem_changes, 1, memory_order_relaxed);
}

/* Pages that could be written, or read, when they were last asked about. */
struct usermem {
	uintptr_t from;
	uintptr_t to;
	unsigned changes;
};

/*
 * Whether `n` bytes can be written. For less than USERMEM_SMALL the last answer holds as long as
 * the program did not change its memory map: a system call on each tiny request would cost as
 * much as the request.
 */
enum { USERMEM_SMALL = 64 * 1024 };
bool usermem_writable(struct usermem *known, void *buffer, size_t n);

/* Whether `n` bytes can be read; the second like usermem_writable(). */
bool usermem_readable(const void *buffer, size_t n);
bool usermem_readable_again(struct usermem *known, const void *buffer, size_t n);

#endif
