/* stdio_write.c - calls that write to a FILE, or format to a descriptor. */
#include "stdio.h"

#include "sys.h"

#include <stdio_ext.h>

/* How much of what is pending in a FILE was counted when it was given. */
static size_t counted_of(const struct file *file, size_t pending)
{
	size_t ahead = atomic_load_explicit(&file->ahead, memory_order_relaxed);

	return ahead < pending ? ahead : pending;
}

/*
 * Counts what was given to a FILE, and once it went to the kernel also the characters before it
 * that were not looked at. Policy dsync: what went is made durable. It went if less is pending
 * now than there would be otherwise.
 */
static void wrote(struct file *file, int fd, FILE *stream, size_t pending, ssize_t sent)
{
	size_t given = sent > 0 ? (size_t)sent : 0, left = __fpending(stream);
	size_t ahead = counted_of(file, pending);
	bool went = left < pending + given;

	engine_did_write(file, fd, -1, went ? (ssize_t)(given + pending - ahead) : sent);
	atomic_store_explicit(&file->ahead, went ? left : ahead + given, memory_order_relaxed);
	if (went && file_policy(file) == POLICY_DSYNC)
		sys_datasync(fd);
}

void count_pending(FILE *stream)
{
	size_t pending = __fpending(stream);
	struct file *file;
	int fd;

	if (pending > 0 && (file = managed_stream(stream, &fd)))
		file_count(file, COUNT_written, pending - counted_of(file, pending));
}

void flushed(struct file *file, int fd, FILE *stream, size_t pending)
{
	if (pending > 0)
		wrote(file, fd, stream, pending, 0);
}

/* NULL is every FILE (fflush(3)), of which we know standard output. */
#define FLUSHES(name)                                                                              \
	EXPORT int name(FILE *stream)                                                              \
	{                                                                                          \
		FILE *known = stream ? stream : stdout;                                            \
		struct file *file;                                                                 \
		size_t pending;                                                                    \
		int fd, done;                                                                      \
                                                                                                   \
		ensure_started();                                                                  \
		pending = __fpending(known);                                                       \
		if (!pending || !(file = managed_stream(known, &fd)))                              \
			return next.name(stream);                                                  \
		done = next.name(stream);                                                          \
		flushed(file, fd, known, pending);                                                 \
		return done;                                                                       \
	}

FLUSHES(fflush)
FLUSHES(fflush_unlocked)

/* `sent` bytes are given to the FILE by a call that returns `value`. */
#define WRITES(type, name, parameters, arguments, to, sent)                                        \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		struct file *file;                                                                 \
		size_t pending;                                                                    \
		type value;                                                                        \
		int fd;                                                                            \
                                                                                                   \
		file = managed_stream(to, &fd);                                                    \
		if (!file)                                                                         \
			return next.name arguments;                                                \
		pending = __fpending(to);                                                          \
		value = next.name arguments;                                                       \
		wrote(file, fd, to, pending, (ssize_t)(sent));                                     \
		return value;                                                                      \
	}

WRITES(size_t, fwrite, (const void *buffer, size_t size, size_t n, FILE *stream),
       (buffer, size, n, stream), stream, value *size)
WRITES(size_t, fwrite_unlocked, (const void *buffer, size_t size, size_t n, FILE *stream),
       (buffer, size, n, stream), stream, value *size)

#define LENGTH(s) (value == EOF ? 0 : __builtin_strlen(s))

WRITES(int, fputs, (const char *s, FILE *stream), (s, stream), stream, LENGTH(s))
WRITES(int, fputs_unlocked, (const char *s, FILE *stream), (s, stream), stream, LENGTH(s))
WRITES(int, puts, (const char *s), (s), stdout, LENGTH(s) + 1)
WRITES(int, vfprintf, (FILE * stream, const char *format, va_list list), (stream, format, list),
       stream, value)
WRITES(int, vprintf, (const char *format, va_list list), (format, list), stdout, value)
WRITES(int, __vfprintf_chk, (FILE * stream, int flag, const char *format, va_list list),
       (stream, flag, format, list), stream, value)
WRITES(int, __vprintf_chk, (int flag, const char *format, va_list list), (flag, format, list),
       stdout, value)

/*
 * One character: only a call that has no room left in the buffer is looked at. `alone`: what
 * putc(3) does while there is room, as its macro did, may be done here, for the call takes no lock.
 */
#define CHARACTER(name, parameters, arguments, to, alone)                                          \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct file *file;                                                                 \
		size_t pending;                                                                    \
		int fd, value;                                                                     \
                                                                                                   \
		if ((alone) && stdio_has_room(to))                                                 \
			return stdio_put(c, to);                                                   \
		ensure_started();                                                                  \
		if (stdio_has_room(to) || !(file = managed_stream(to, &fd)))                       \
			return next.name arguments;                                                \
		pending = __fpending(to);                                                          \
		value = next.name arguments;                                                       \
		wrote(file, fd, to, pending, value != EOF);                                        \
		return value;                                                                      \
	}

CHARACTER(fputc, (int c, FILE *stream), (c, stream), stream, stdio_needs_no_lock(stream))
CHARACTER(fputc_unlocked, (int c, FILE *stream), (c, stream), stream, true)
CHARACTER(putc, (int c, FILE *stream), (c, stream), stream, stdio_needs_no_lock(stream))
CHARACTER(putc_unlocked, (int c, FILE *stream), (c, stream), stream, true)
CHARACTER(_IO_putc, (int c, FILE *stream), (c, stream), stream, stdio_needs_no_lock(stream))
CHARACTER(__overflow, (FILE * stream, int c), (stream, c), stream, false)
CHARACTER(putchar, (int c), (c), stdout, stdio_needs_no_lock(stdout))
CHARACTER(putchar_unlocked, (int c), (c), stdout, true)

/* Formats to a descriptor; libc's inner FILE writes it out before it returns. */
#define DESCRIPTOR(name, parameters, arguments)                                                    \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
		int n = next.name arguments;                                                       \
                                                                                                   \
		if (file)                                                                          \
			engine_did_write(file, fd, -1, n);                                         \
		if (file && n > 0 && file_policy(file) == POLICY_DSYNC)                            \
			sys_datasync(fd);                                                          \
		return n;                                                                          \
	}

DESCRIPTOR(vdprintf, (int fd, const char *format, va_list list), (fd, format, list))
DESCRIPTOR(__vdprintf_chk, (int fd, int flag, const char *format, va_list list),
	   (fd, flag, format, list))

/* The variadic forms are the ones with a list. */
#define VARIADIC(name, parameters, last, arguments)                                                \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		va_list list;                                                                      \
		int n;                                                                             \
                                                                                                   \
		va_start(list, last);                                                              \
		n = arguments;                                                                     \
		va_end(list);                                                                      \
		return n;                                                                          \
	}

VARIADIC(fprintf, (FILE * stream, const char *format, ...), format, vfprintf(stream, format, list))
VARIADIC(printf, (const char *format, ...), format, vprintf(format, list))
VARIADIC(dprintf, (int fd, const char *format, ...), format, vdprintf(fd, format, list))
VARIADIC(__fprintf_chk, (FILE * stream, int flag, const char *format, ...), format,
	 __vfprintf_chk(stream, flag, format, list))
VARIADIC(__printf_chk, (int flag, const char *format, ...), format,
	 __vprintf_chk(flag, format, list))
VARIADIC(__dprintf_chk, (int fd, int flag, const char *format, ...), format,
	 __vdprintf_chk(fd, flag, format, list))
