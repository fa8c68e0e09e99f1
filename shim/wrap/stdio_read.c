/* stdio_read.c - calls that read from a FILE. */
#include "slices.h"
#include "stdio.h"

#include <pthread.h>

/* What a call of unknown length is taken to read. */
enum { LINE_GUESS = 4096 };

/*
 * Whether a FILE's buffer still holds a character, so that getc(3) makes no system call: then it
 * costs one comparison. glibc's struct is part of its ABI, since its old getc was a macro.
 */
static bool has_buffered(FILE *stream)
{
#ifdef __GLIBC__
	return libc_is_glibc() && stream->_IO_read_ptr < stream->_IO_read_end;
#else
	(void)stream;
	return false;
#endif
}

/* What the last refill of a FILE's buffer brought in. */
static ssize_t refilled(FILE *stream)
{
#ifdef __GLIBC__
	return libc_is_glibc() ? stream->_IO_read_end - stream->_IO_read_base : 1;
#else
	(void)stream;
	return 1;
#endif
}

typedef size_t fread_call(void *, size_t, size_t, FILE *);

/* Bytes by libc, piece by piece where they are many. */
static size_t read_by_libc(fread_call *call, struct file *file, int fd, char *buffer, size_t n,
			   FILE *stream)
{
	size_t most = slices_wanted(file, n) ? SLICE : n, done = 0, piece, got;

	do {
		piece = n - done < most ? n - done : most;
		engine_reads(file, fd, -1, piece);
		got = call(buffer + done, 1, piece, stream);
		stream_did_read(file, got);
		done += got;
	} while (got == piece && done < n);
	file_count(file, COUNT_read, done);
	return done;
}

/* Past the cache as far as that goes, then by libc, which also finds the end and errors. */
static size_t read_bytes(fread_call *call, struct file *file, int fd, char *buffer, size_t n,
			 FILE *stream)
{
	size_t past = stdio_read_past(file, fd, stream, buffer, n);

	if (past == n)
		return n;
	if (past == 0)
		file_count(file, COUNT_reads, 1);
	else
		direct_moved(file);
	return past + read_by_libc(call, file, fd, buffer + past, n - past, stream);
}

/*
 * As one call for other threads. Where it may be cut it takes no cancellation half-way, which would
 * leave the FILE locked: POSIX leaves that to it (fread is one of those that may be a cancellation
 * point).
 */
static size_t read_locked(fread_call *call, struct file *file, int fd, char *buffer, size_t n,
			  FILE *stream)
{
	size_t got;
	int state;

	if (next_testcancel)
		next_testcancel();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	flockfile(stream);
	got = read_bytes(call, file, fd, buffer, n, stream);
	funlockfile(stream);
	pthread_setcancelstate(state, NULL);
	return got;
}

static size_t read_items(fread_call *call, void *buffer, size_t size, size_t n, FILE *stream)
{
	struct file *file;
	size_t total, got;
	int fd;

	file = managed_stream(stream, &fd);
	if (!file || __builtin_mul_overflow(size, n, &total) || !total)
		return call(buffer, size, n, stream);
	if (direct_wants_read(file, total) || slices_wanted(file, total))
		got = read_locked(call, file, fd, buffer, total, stream);
	else
		got = read_bytes(call, file, fd, buffer, total, stream);
	return got == total ? n : got / size;
}

EXPORT size_t fread(void *buffer, size_t size, size_t n, FILE *stream)
{
	ensure_started();
	return read_items(next.fread, buffer, size, n, stream);
}

EXPORT size_t fread_unlocked(void *buffer, size_t size, size_t n, FILE *stream)
{
	ensure_started();
	return read_items(next.fread_unlocked, buffer, size, n, stream);
}

/* Whether so much has room: if not, libc is to say so and end the program (__fortify_fail). */
static bool has_space(size_t room, size_t size, size_t n)
{
	size_t total;

	return !__builtin_mul_overflow(size, n, &total) && total <= room;
}

EXPORT size_t __fread_chk(void *buffer, size_t room, size_t size, size_t n, FILE *stream)
{
	ensure_started();
	if (!has_space(room, size, n))
		return next.__fread_chk(buffer, room, size, n, stream);
	return read_items(next.fread, buffer, size, n, stream);
}

EXPORT size_t __fread_unlocked_chk(void *buffer, size_t room, size_t size, size_t n, FILE *stream)
{
	ensure_started();
	if (!has_space(room, size, n))
		return next.__fread_unlocked_chk(buffer, room, size, n, stream);
	return read_items(next.fread_unlocked, buffer, size, n, stream);
}

/* The rest: forward, then count. `want` bytes are expected, `got` were read. */
#define READS(type, name, parameters, arguments, want, got)                                        \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		struct file *file;                                                                 \
		type value;                                                                        \
		int fd;                                                                            \
                                                                                                   \
		file = managed_stream(stream, &fd);                                                \
		if (!file)                                                                         \
			return next.name arguments;                                                \
		engine_reads(file, fd, -1, (size_t)(want));                                        \
		value = next.name arguments;                                                       \
		engine_did_read(file, fd, (ssize_t)(got));                                         \
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
 * are given their symbols here. The length of what was read is not known: the call is counted.
 */
EXPORT int scan90_list(FILE *stream, const char *format, va_list list) __asm__("vfscanf");
EXPORT int scan90(FILE *stream, const char *format, ...) __asm__("fscanf");
EXPORT int scan99_list(FILE *stream, const char *format, va_list list) __asm__("__isoc99_vfscanf");
EXPORT int scan99(FILE *stream, const char *format, ...) __asm__("__isoc99_fscanf");

#define SCANS(ours, name)                                                                          \
	int ours##_list(FILE *stream, const char *format, va_list list)                            \
	{                                                                                          \
		struct file *file;                                                                 \
		int fd, n;                                                                         \
                                                                                                   \
		file = managed_stream(stream, &fd);                                                \
		if (!file)                                                                         \
			return next.name(stream, format, list);                                    \
		engine_reads(file, fd, -1, LINE_GUESS);                                            \
		n = next.name(stream, format, list);                                               \
		engine_did_read(file, fd, n > 0);                                                  \
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

/* One character: only a call that refills the buffer is looked at. */
static int character(int (*call)(FILE *), FILE *stream)
{
	struct file *file;
	int fd, c;

	if (has_buffered(stream))
		return call(stream);
	file = managed_stream(stream, &fd);
	if (!file)
		return call(stream);
	engine_reads(file, fd, -1, LINE_GUESS);
	c = call(stream);
	engine_did_read(file, fd, c == EOF ? 0 : refilled(stream));
	return c;
}

#define CHARACTER(name)                                                                            \
	EXPORT int name(FILE *stream)                                                              \
	{                                                                                          \
		ensure_started();                                                                  \
		return character(next.name, stream);                                               \
	}

CHARACTER(fgetc)
CHARACTER(fgetc_unlocked)
CHARACTER(getc)
CHARACTER(getc_unlocked)
CHARACTER(_IO_getc)
CHARACTER(__uflow)
CHARACTER(__underflow)

EXPORT int getchar(void)
{
	return getc(stdin);
}

EXPORT int getchar_unlocked(void)
{
	return getc_unlocked(stdin);
}
