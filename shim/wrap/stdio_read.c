/* stdio_read.c - calls that read characters, lines and formats from a FILE. */
#include "stdio.h"

#include "sys.h"

/* What a call of unknown length is taken to read. */
enum { LINE_GUESS = 4096 };

/* Forward, then count: `want` bytes are expected, `got` were taken. */
#define READS(type, name, parameters, arguments, want, got)                                        \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		struct file *file;                                                                 \
		ssize_t before;                                                                    \
		type value;                                                                        \
		int fd;                                                                            \
                                                                                                   \
		file = managed_stream(stream, &fd);                                                \
		if (!file)                                                                         \
			return next.name arguments;                                                \
		before = stdio_held(stream);                                                       \
		engine_reads(file, fd, -1, (size_t)(want));                                        \
		value = next.name arguments;                                                       \
		stdio_took(file, fd, stream, before, (ssize_t)(got));                              \
		return value;                                                                      \
	}

#define LINE(value) ((value) ? (ssize_t)__builtin_strlen(value) : 0)

READS(char *, fgets, (char *buffer, int n, FILE *stream), (buffer, n, stream), n, LINE(value))
READS(char *, fgets_unlocked, (char *buffer, int n, FILE *stream), (buffer, n, stream), n,
      LINE(value))
READS(char *, __fgets_chk, (char *buffer, size_t room, int n, FILE *stream),
      (buffer, room, n, stream), n, LINE(value))
READS(char *, __fgets_unlocked_chk, (char *buffer, size_t room, int n, FILE *stream),
      (buffer, room, n, stream), n, LINE(value))
READS(ssize_t, getline, (char **line, size_t *room, FILE *stream), (line, room, stream), LINE_GUESS,
      value)
READS(ssize_t, getdelim, (char **line, size_t *room, int end, FILE *stream),
      (line, room, end, stream), LINE_GUESS, value)
READS(ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *stream),
      (line, room, end, stream), LINE_GUESS, value)
/*
 * The headers give the C99 scanf family the names of C90's (bits/stdio2.h, __REDIRECT), so ours
 * are given their symbols here. What they took is not told: the descriptor's offset is.
 */
EXPORT int scan90_list(FILE *stream, const char *format, va_list list) __asm__("vfscanf");
EXPORT int scan90(FILE *stream, const char *format, ...) __asm__("fscanf");
EXPORT int scan99_list(FILE *stream, const char *format, va_list list) __asm__("__isoc99_vfscanf");
EXPORT int scan99(FILE *stream, const char *format, ...) __asm__("__isoc99_fscanf");

#define SCANS(ours, name)                                                                          \
	int ours##_list(FILE *stream, const char *format, va_list list)                            \
	{                                                                                          \
		struct file *file;                                                                 \
		int64_t at;                                                                        \
		int fd, n;                                                                         \
                                                                                                   \
		file = managed_stream(stream, &fd);                                                \
		if (!file)                                                                         \
			return next.name(stream, format, list);                                    \
		at = sys_position(fd);                                                             \
		engine_reads(file, fd, -1, LINE_GUESS);                                            \
		n = next.name(stream, format, list);                                               \
		stdio_moved(file, fd, sys_position(fd) - at, n == EOF);                            \
		return n;                                                                          \
	}                                                                                          \
                                                                                                   \
	int ours(FILE *stream, const char *format, ...)                                            \
	{                                                                                          \
		va_list list;                                                                      \
		int n;                                                                             \
                                                                                                   \
		va_start(list, format);                                                            \
		n = ours##_list(stream, format, list);                                             \
		va_end(list);                                                                      \
		return n;                                                                          \
	}

SCANS(scan90, vfscanf)
SCANS(scan99, __isoc99_vfscanf)

/* One character: only a call that refills the buffer is looked at. `takes`: or leaves it there. */
static int character(int (*call)(FILE *), FILE *stream, bool takes)
{
	struct file *file;
	ssize_t before;
	int fd, c;

	if (stdio_has_input(stream))
		return call(stream);
	file = managed_stream(stream, &fd);
	if (!file)
		return call(stream);
	before = stdio_held(stream);
	engine_reads(file, fd, -1, LINE_GUESS);
	c = call(stream);
	stdio_took(file, fd, stream, before, c == EOF ? -1 : takes);
	return c;
}

/*
 * What getc(3) does while there is something in the buffer, as its macro did. `alone`: it may be
 * done here, for the call takes no lock.
 */
#define CHARACTER(name, takes, alone)                                                              \
	EXPORT int name(FILE *stream)                                                              \
	{                                                                                          \
		if ((alone) && stdio_has_input(stream))                                            \
			return stdio_take(stream);                                                 \
		ensure_started();                                                                  \
		return character(next.name, stream, takes);                                        \
	}

CHARACTER(fgetc, true, stdio_needs_no_lock(stream))
CHARACTER(fgetc_unlocked, true, true)
CHARACTER(getc, true, stdio_needs_no_lock(stream))
CHARACTER(getc_unlocked, true, true)
CHARACTER(_IO_getc, true, stdio_needs_no_lock(stream))
CHARACTER(__uflow, true, false)
CHARACTER(__underflow, false, false)

EXPORT int getchar(void)
{
	return getc(stdin);
}

EXPORT int getchar_unlocked(void)
{
	return getc_unlocked(stdin);
}
