/*
 * stream_window.h - the two windows of a stream: of its reads (stream_reading.c) and of its writes
 * (stream_writing.c), and what is left of them at its end (stream_end.c).
 *
 * The caller holds the confirmed record.
 */
#ifndef NOCACHE_STREAM_WINDOW_H
#define NOCACHE_STREAM_WINDOW_H

#include "stream.h"

enum { NEVER_LOOKED = -1 }; /* in place of window.last */

enum { WINDOW_HALF_LEAST = 128 * 1024, WINDOW_HALF_MOST = 8 * 1024 * 1024 };

/* Bytes of half a window, which lie ahead of a reader or behind a writer. */
int64_t window_half(const struct file *file);

/* Bytes that move between looks: half of the window, a unit at most. A power of two. */
int64_t window_step(const struct file *file);

/* The reader was elsewhere: what it brought in may be anywhere. */
static inline void window_strays(struct window *window)
{
	window->clean = 0;
	window->reach = REACH_ALL;
}

/* The stream turned out to be sequential: its next bytes come from `at`. */
void window_start_reading(struct file *file, int fd, int64_t at);

/* Notes how far the kernel has read ahead of `at`; what comes in beyond is not the stream's. */
void window_reaches(struct file *file, int fd, int64_t at);

/*
 * Releases what is behind `at` and asks for what comes after `n` bytes from there. Returns how many
 * bytes may be read before the next look.
 */
int64_t window_slide_reading(struct file *file, int fd, int64_t at, size_t n, int64_t size);

/* The stream jumped back to `at`. */
void window_stop_reading(struct file *file, int fd, int64_t at);

/* The same for writing; `at` is where the last bytes ended. */
void window_start_writing(struct file *file, int64_t at);
void window_slide_writing(struct file *file, int fd, int64_t at);
void window_stop_writing(struct file *file, int64_t at);

/* Releases a written range: pages that were not the file's before are the stream's own. */
void window_release_written(struct file *file, int fd, int64_t from, int64_t to);

/*
 * Whether the end of the file's stream is left to another description of the process that has the
 * file open: what one of them drops the other would have to read again.
 */
bool window_is_left(struct file *file);

/* Releases all that is the stream's own, of a file of `size` bytes; see stream_end(). */
enum stream_rest window_end(struct file *file, int fd, int64_t size, enum stream_end how);

#endif
