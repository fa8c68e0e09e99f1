/*
 * stdio_seek.c - calls that set the position of a FILE. libc then fills its buffer at the new
 * place, unless that is in it already.
 */
#include "stdio.h"

#include <stdio_ext.h>

/* What is counted of a FILE is what libc reads: see stdio_count.c. */
static void sought(struct file *file, int fd, const FILE *stream, off64_t before)
{
	if (stdio_place(stream) != before && stdio_filled(stream) > 0)
		engine_did_read(file, fd, stdio_filled(stream));
}

#define SEEKS(name, parameters, arguments)                                                         \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct file *file;                                                                 \
		size_t pending;                                                                    \
		off64_t before;                                                                    \
		int fd, done;                                                                      \
                                                                                                   \
		file = managed_stream(stream, &fd);                                                \
		if (!file)                                                                         \
			return next.name arguments;                                                \
		pending = __fpending(stream);                                                      \
		before = stdio_place(stream);                                                      \
		done = next.name arguments;                                                        \
		flushed(file, fd, stream, pending);                                                \
		sought(file, fd, stream, before);                                                  \
		return done;                                                                       \
	}

SEEKS(fseek, (FILE * stream, long offset, int whence), (stream, offset, whence))
SEEKS(fseeko, (FILE * stream, off_t offset, int whence), (stream, offset, whence))
SEEKS(fseeko64, (FILE * stream, off64_t offset, int whence), (stream, offset, whence))
SEEKS(fsetpos, (FILE * stream, const fpos_t *position), (stream, position))
SEEKS(fsetpos64, (FILE * stream, const fpos64_t *position), (stream, position))
#ifdef __i386__
SEEKS(fsetpos_old, (FILE * stream, const fpos_t *position), (stream, position))
SEEKS(fsetpos64_old, (FILE * stream, const fpos64_t *position), (stream, position))
NOW(fsetpos, "GLIBC_2.2")
NOW(fsetpos64, "GLIBC_2.2")
#endif

/* Says nothing of an error, and clears the one that was (C11, 7.21.9.5). */
EXPORT void rewind(FILE *stream)
{
	struct file *file;
	size_t pending;
	off64_t before;
	int fd;

	file = managed_stream(stream, &fd);
	if (!file) {
		next.rewind(stream);
		return;
	}
	pending = __fpending(stream);
	before = stdio_place(stream);
	next.rewind(stream);
	flushed(file, fd, stream, pending);
	sought(file, fd, stream, before);
}
