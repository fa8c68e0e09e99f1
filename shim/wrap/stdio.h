/*
 * stdio.h - what the wrappers of stdio share.
 *
 * libc's own reads and writes reach no interposer; so progress is learnt on the calls that the
 * program makes, and the window slides behind the descriptor's real offset. The FILE itself is
 * not touched, but for one thing: where libc would read whole buffers straight into the caller's
 * memory, we may do so in its place (stdio_past.c).
 */
#ifndef NOCACHE_WRAP_STDIO_H
#define NOCACHE_WRAP_STDIO_H

#include "direct.h"
#include "stdio_file.h"
#include "wrap.h"

/* The record behind a FILE, or NULL; `fd` becomes its descriptor. */
static inline struct file *managed_stream(FILE *stream, int *fd)
{
	struct file *file;

	ensure_started();
	*fd = stream_fd(stream);
	if (unlikely(relaxed_any()))
		engine_shares(*fd, REASON_STDIO);
	file = engine_file(*fd);
	if (file && direct_wants_writes(file))
		file_note(file, REASON_STDIO);
	return file;
}

/*
 * Reads whole buffers, up to `n` bytes, past the cache and leaves the FILE as libc would. Returns
 * how many bytes that were: 0 where it is not worth it, at the end of the file, and for an error,
 * which libc is to meet itself. The FILE is locked, or its caller needs no lock. Counted.
 */
size_t stdio_read_past(struct file *file, int fd, FILE *stream, void *buffer, size_t n);

/*
 * Counts a call that read `n` bytes from the descriptor, or came to its end; or one by which the
 * program took `taken` bytes of a FILE that held `before` (stdio_held()).
 */
void stdio_moved(struct file *file, int fd, int64_t n, bool ended);
void stdio_took(struct file *file, int fd, FILE *stream, ssize_t before, ssize_t taken);

/* A call may have written out the `pending` bytes that a FILE held before it. */
void flushed(struct file *file, int fd, FILE *stream, size_t pending);

/* Counts the characters that are still in a FILE and were not looked at: it is about to close. */
void count_pending(FILE *stream);

#endif
