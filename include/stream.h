/*
 * stream.h - policy `dontneed`: the page cache of a file as a bounded window that slides along.
 *
 * Reading: once a stream is sequential the kernel's readahead (whose windows may be larger than
 * ours) is switched off by POSIX_FADV_RANDOM and the shim asks for what comes next itself; that
 * is also the moment to learn whose those pages are. What lies behind is released.
 * Writing: full units are written out as the stream goes, the oldest are waited for and released.
 * Anything that is not sequential is left alone until the end.
 *
 * Offsets are bytes from the file's start; offset -1 stands for the description's own.
 */
#ifndef NOCACHE_STREAM_H
#define NOCACHE_STREAM_H

#include "file.h"

#include <stddef.h>

/* Bytes in sequence that make a reader a stream; fewer where many streams share the room. */
enum { STREAM_START = 256 * 1024 };

/* The kernel reads no farther ahead of a reader: 16 MiB were seen (mm/readahead.c). */
enum { STREAM_KERNEL_AHEAD = 32 * 1024 * 1024 };

/* Prepares a new record; `active` where the policy is dontneed. */
void stream_begin(struct file *file, bool active);

/* Like stream_begin() in the child of fork(2): the windows are the parent's. */
void stream_inherit(struct file *file);
void stream_forked(void);

/* The record goes: it takes no room any more. */
void stream_forget(struct file *file);

/*
 * The rule changes in the middle of the stream: what has moved already belongs to it, or it is
 * left alone from here on. The caller holds the record.
 */
void stream_join(struct file *file);
void stream_leave(struct file *file, int fd);

/* From `at` on the file is read past the cache: no more of it comes in than was read ahead. */
void stream_reaches(struct file *file, int fd, int64_t at);

/* The slow halves of two below. */
void stream_look_ahead(struct file *file, int fd, int64_t offset, size_t n);
void stream_look_behind(struct file *file, int fd, int64_t offset);

/* A read found the end of the file: a stream has come to it, and lets go of what is behind. */
void stream_met_end(struct file *file, int fd);

/* The program is about to read, or sets its offset, elsewhere than where it was. */
static inline void stream_jumps(struct file *file)
{
	atomic_fetch_add_explicit(&file->reading.jumps, 1, memory_order_relaxed);
}

static inline void stream_notes_place(struct file *file, int64_t offset, size_t n)
{
	if (atomic_load_explicit(&file->reading.next, memory_order_relaxed) != offset)
		stream_jumps(file);
	atomic_store_explicit(&file->reading.next, offset + (int64_t)n, memory_order_relaxed);
}

/* Before the program reads `n` bytes at `offset`. */
static inline void stream_will_read(struct file *file, int fd, int64_t offset, size_t n)
{
	if (offset >= 0)
		stream_notes_place(file, offset, n);
	if (atomic_load_explicit(&file->reading.credit, memory_order_relaxed) < (int64_t)n)
		stream_look_ahead(file, fd, offset, n);
}

/* After it read `n` bytes. */
static inline void stream_did_read(struct file *file, size_t n)
{
	atomic_fetch_sub_explicit(&file->reading.credit, (int64_t)n, memory_order_relaxed);
}

/* After it wrote `n` bytes that end at `end`. */
static inline void stream_did_write(struct file *file, int fd, int64_t end, size_t n)
{
	file_grew(file, end, n);
	if (atomic_fetch_sub_explicit(&file->writing.credit, (int64_t)n, memory_order_relaxed) <
	    (int64_t)n)
		stream_look_behind(file, fd, end);
}

/* What stream_end() could not finish without keeping the program waiting. */
enum stream_rest { STREAM_DONE, STREAM_DIRTY };

/* The program goes on; goes on, but nobody else will see to the rest; ends, its mappings too. */
enum stream_end { STREAM_CLOSES, STREAM_CLOSES_ALONE, STREAM_EXITS };

/*
 * The program is done with the file for now: releases what is the stream's own. Written pages
 * are waited for where there were many, or where `how` leaves no other way; else STREAM_DIRTY is
 * returned.
 */
enum stream_rest stream_end(struct file *file, int fd, enum stream_end how);

/* Switches the kernel's readahead on again where the shim had switched it off. */
void stream_give_back(struct file *file, int fd);

#endif
