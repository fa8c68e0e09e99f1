/*
 * stdio.h - what the wrappers of stdio share.
 *
 * libc's own reads and writes reach no interposer; so progress is learnt on the calls that the
 * program makes, and the window slides behind the descriptor's real offset. The FILE itself is
 * never touched.
 */
#ifndef NOCACHE_WRAP_STDIO_H
#define NOCACHE_WRAP_STDIO_H

#include "direct.h"
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

/* Counts the characters that are still in a FILE and were not looked at: it is about to close. */
void count_pending(FILE *stream);

#endif
