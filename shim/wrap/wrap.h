/*
 * wrap.h - what every wrapper is made of.
 *
 * The rules for a wrapper: it forwards the program's own call through `next`, once, and holds
 * nothing while it does, for the call may be cancelled, interrupted or never return. What it
 * adds happens before or after, by the engine, and leaves errno alone.
 */
#ifndef NOCACHE_WRAP_H
#define NOCACHE_WRAP_H

#include "engine.h"
#include "next.h"

#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* False until the library is ready: start() is then called by the first wrapper that runs. */
extern bool started;
void start(void);

/* Other libraries' constructors may call us before our own has run. */
static inline void ensure_started(void)
{
	if (unlikely(!started))
		start();
}

/* The record of a descriptor, or NULL where the call is just forwarded; of a read or write. */
static inline struct file *met(int fd)
{
	ensure_started();
	return engine_file(fd);
}

/* The same for any other call. */
static inline struct file *managed(int fd)
{
	struct file *file = met(fd);

	if (unlikely(file && relaxed_concerns(file)))
		relaxed_settle(file, fd);
	return file;
}

/* A call concerns the file of a descriptor, or maybe any file: 0, or -errno of a write of ours. */
static inline int settled(int fd)
{
	ensure_started();
	return unlikely(relaxed_any()) ? engine_settle(fd) : 0;
}

static inline void all_settled(void)
{
	ensure_started();
	if (unlikely(relaxed_any()))
		engine_settle_all();
}

/* Only glibc has it: which libc this is can only be known when we run. */
__attribute__((weak)) const char *gnu_get_libc_version(void);

static inline bool libc_is_glibc(void)
{
	return gnu_get_libc_version != NULL;
}

/* A function that only forwards, after `settle`: a call of one of those above. */
#define FORWARDED(type, name, parameters, arguments, settle)                                       \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		settle;                                                                            \
		return next.name arguments;                                                        \
	}

/* result.c: turns a value or -errno into libc's convention. */
ssize_t result(ssize_t value);

/* errno, to be put back after a call of ours that may have failed. */
int result_error(void);
void result_restore(int error);

/* The descriptor of a FILE, or -1 for one that has none; errno stays. */
int stream_fd(FILE *stream);

#endif
