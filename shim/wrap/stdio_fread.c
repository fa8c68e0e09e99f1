/* stdio_fread.c - fread(3): past the cache, or by libc in pieces of a window's size. */
#include "slices.h"
#include "stdio.h"

typedef size_t fread_call(void *, size_t, size_t, FILE *);

/* Bytes, since of an item that is cut short by the end of the file the number is not told. */
static size_t by_libc(fread_call *call, struct file *file, int fd, char *buffer, size_t n,
		      FILE *stream)
{
	ssize_t before = stdio_held(stream);
	size_t got;

	engine_reads(file, fd, -1, n);
	got = call(buffer, 1, n, stream);
	stdio_took(file, fd, stream, before, (ssize_t)got);
	return got;
}

/* By libc too, piece by piece; as one call, or as the rest of one. */
static size_t by_slices(fread_call *call, struct file *file, int fd, char *buffer, size_t n,
			FILE *stream, int calls)
{
	ssize_t before = stdio_held(stream);
	size_t done = 0, piece, got;

	do {
		piece = n - done < SLICE ? n - done : SLICE;
		engine_reads(file, fd, -1, piece);
		got = call(buffer + done, 1, piece, stream);
		stream_did_read(file, got);
		done += got;
	} while (got == piece && done < n);
	file_count(file, COUNT_reads, (uint64_t)calls);
	file_count(file, COUNT_read,
		   (uint64_t)larger((ssize_t)done + stdio_held(stream) - before, 0));
	return done;
}

/* Past the cache as far as that goes; libc also finds the end and errors. */
static size_t read_bytes(fread_call *call, struct file *file, int fd, char *buffer, size_t n,
			 FILE *stream)
{
	size_t past = stdio_read_past(file, fd, stream, buffer, n);

	if (past == n)
		return n;
	if (past)
		direct_moved(file);
	if (!past && !slices_wanted(file, n))
		return by_libc(call, file, fd, buffer, n, stream);
	return past + by_slices(call, file, fd, buffer + past, n - past, stream, !past);
}

/*
 * As one call for other threads. Where it may be cut it takes no cancellation half-way, which would
 * leave the FILE locked: POSIX leaves that to it (fread is one of those that may be a cancellation
 * point).
 */
static size_t read_locked(fread_call *call, struct file *file, int fd, char *buffer, size_t n,
			  FILE *stream)
{
	int state = PTHREAD_CANCEL_ENABLE;
	size_t got;

	if (next_testcancel)
		next_testcancel();
	if (next_setcancelstate)
		next_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	flockfile(stream);
	got = read_bytes(call, file, fd, buffer, n, stream);
	funlockfile(stream);
	if (next_setcancelstate)
		next_setcancelstate(state, NULL);
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
