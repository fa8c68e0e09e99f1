/* stdio_open.c - calls that make or end a FILE. */
#include "stdio.h"

static FILE *opened(FILE *stream)
{
	if (stream)
		engine_opened(stream_fd(stream));
	return stream;
}

#define FOPEN(name)                                                                                \
	EXPORT FILE *name(const char *path, const char *mode)                                      \
	{                                                                                          \
		all_settled();                                                                     \
		return opened(next.name(path, mode));                                              \
	}

#define FREOPEN(name)                                                                              \
	EXPORT FILE *name(const char *path, const char *mode, FILE *stream)                        \
	{                                                                                          \
		all_settled();                                                                     \
		count_pending(stream);                                                             \
		engine_closing(stream_fd(stream), true);                                           \
		stream = opened(next.name(path, mode, stream));                                    \
		engine_closed();                                                                   \
		return stream;                                                                     \
	}

#define TMPFILE(name)                                                                              \
	EXPORT FILE *name(void)                                                                    \
	{                                                                                          \
		ensure_started();                                                                  \
		return opened(next.name());                                                        \
	}

FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)
TMPFILE(tmpfile)
TMPFILE(tmpfile64)

/* The descriptor is known already, or will be looked at when it is first used. */
#define FDOPEN(name)                                                                               \
	EXPORT FILE *name(int fd, const char *mode)                                                \
	{                                                                                          \
		ensure_started();                                                                  \
		engine_shares(fd, REASON_STDIO);                                                   \
		return next.name(fd, mode);                                                        \
	}

#define POPEN(name)                                                                                \
	EXPORT FILE *name(const char *command, const char *mode)                                   \
	{                                                                                          \
		ensure_started();                                                                  \
		engine_child();                                                                    \
		return opened(next.name(command, mode));                                           \
	}

#define FCLOSE(name)                                                                               \
	EXPORT int name(FILE *stream)                                                              \
	{                                                                                          \
		int closed;                                                                        \
                                                                                                   \
		ensure_started();                                                                  \
		count_pending(stream);                                                             \
		engine_closing(stream_fd(stream), true);                                           \
		closed = next.name(stream);                                                        \
		engine_closed();                                                                   \
		return closed;                                                                     \
	}

FDOPEN(fdopen)
POPEN(popen)
FCLOSE(fclose)

#ifdef __i386__
FOPEN(fopen_old)
TMPFILE(tmpfile_old)
FDOPEN(fdopen_old)
POPEN(popen_old)
FCLOSE(fclose_old)
NOW(fopen, "GLIBC_2.1")
NOW(tmpfile, "GLIBC_2.1")
NOW(fdopen, "GLIBC_2.1")
NOW(popen, "GLIBC_2.1")
NOW(fclose, "GLIBC_2.1")
#endif
