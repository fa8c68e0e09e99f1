/* stdio_write.c - calls that write to a FILE, or format to a descriptor. */
#include "stdio.h"

#include "sys.h"

#include <stdio_ext.h>

/*
 * Counts what was given to a FILE. Policy dsync: if less is pending now than there would be had
 * nothing gone to the kernel, what went is made durable.
 */
static void wrote(struct file *file, int fd, FILE *stream, size_t pending, ssize_t sent)
{
	engine_did_write(file, fd, -1, sent);
	if (file->policy == POLICY_DSYNC && sent > 0 && __fpending(stream) < pending + (size_t)sent)
		sys_datasync(fd);
}

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

/* One character: only a call that has no room left in the buffer is looked at. */
static bool has_room(FILE *stream)
{
#ifdef __GLIBC__
	return libc_is_glibc() && stream->_IO_write_ptr < stream->_IO_write_end;
#else
	(void)stream;
	return false;
#endif
}

/* Called before and after a character that may flush: what went out is counted at once. */
static void flushed(struct file *file, int fd, FILE *stream, size_t pending)
{
	size_t left = __fpending(stream);

	wrote(file, fd, stream, pending + 1, left <= pending ? (ssize_t)(pending + 1 - left) : 0);
}

#define CHARACTER(name, parameters, arguments, to)                                                 \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct file *file;                                                                 \
		size_t pending;                                                                    \
		int fd, value;                                                                     \
                                                                                                   \
		ensure_started();                                                                  \
		if (has_room(to) || !(file = managed_stream(to, &fd)))                             \
			return next.name arguments;                                                \
		pending = __fpending(to);                                                          \
		value = next.name arguments;                                                       \
		flushed(file, fd, to, pending);                                                    \
		return value;                                                                      \
	}

CHARACTER(fputc, (int c, FILE *stream), (c, stream), stream)
CHARACTER(fputc_unlocked, (int c, FILE *stream), (c, stream), stream)
CHARACTER(putc, (int c, FILE *stream), (c, stream), stream)
CHARACTER(putc_unlocked, (int c, FILE *stream), (c, stream), stream)
CHARACTER(_IO_putc, (int c, FILE *stream), (c, stream), stream)
CHARACTER(__overflow, (FILE * stream, int c), (stream, c), stream)
CHARACTER(putchar, (int c), (c), stdout)
CHARACTER(putchar_unlocked, (int c), (c), stdout)

/* Formats to a descriptor; libc's inner FILE writes it out before it returns. */
#define DESCRIPTOR(name, parameters, arguments)                                                    \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
		int n = next.name arguments;                                                       \
                                                                                                   \
		if (file)                                                                          \
			engine_did_write(file, fd, -1, n);                                         \
		if (file && n > 0 && file->policy == POLICY_DSYNC)                                 \
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
