/*
 * stdio_file.h - what a FILE of glibc shows of itself: buffers, flags, place. The only file that
 * looks into one.
 *
 * glibc's struct is part of its ABI, since its old getc(3) was a macro. A FILE of musl shows
 * nothing: of that, and where the running libc is another than the library was built for, each
 * answer is the one that leaves all to libc.
 */
#ifndef NOCACHE_WRAP_STDIO_FILE_H
#define NOCACHE_WRAP_STDIO_FILE_H

#include "wrap.h"

#ifdef __GLIBC__

/* Flags that the installed headers leave out: glibc's libio/libio.h. */
enum stdio_flag {
	STDIO_NO_READS = 0x4,    /* _flags, _IO_NO_READS */
	STDIO_IN_BACKUP = 0x100, /* _flags, _IO_IN_BACKUP: it reads what ungetc(3) put back */
	STDIO_PUTTING = 0x800,  /* _flags, _IO_CURRENTLY_PUTTING: the buffer has what was written */
	STDIO_MAPPED = 0x1,     /* _flags2, _IO_FLAGS2_MMAP: fopen(3), mode `m` */
	STDIO_NEED_LOCK = 0x80, /* _flags2, _IO_FLAGS2_NEED_LOCK: another thread was started */
};

/* Whether a character can be had without a system call; the next one that is there. */
static inline bool stdio_has_input(const FILE *stream)
{
	return libc_is_glibc() && stream->_IO_read_ptr < stream->_IO_read_end;
}

static inline int stdio_take(FILE *stream)
{
	return (unsigned char)*stream->_IO_read_ptr++;
}

/* Whether a character can be put without a system call; puts one where that is so. */
static inline bool stdio_has_room(const FILE *stream)
{
	return libc_is_glibc() && stream->_IO_write_ptr < stream->_IO_write_end;
}

static inline int stdio_put(int c, FILE *stream)
{
	return (unsigned char)(*stream->_IO_write_ptr++ = (char)c);
}

/* Whether libc would take no lock. It has told so since 2.28, the version that brought fcntl64. */
static inline bool stdio_needs_no_lock(const FILE *stream)
{
	return next.fcntl64 && !(stream->_flags2 & STDIO_NEED_LOCK);
}

/*
 * Bytes that were read and that the program has not taken: of pushed-back characters, too, and of
 * the buffer that they stand in front of (ungetc(3)).
 */
static inline ssize_t stdio_held(const FILE *stream)
{
	ssize_t own = stream->_IO_read_end - stream->_IO_read_ptr;

	if (!libc_is_glibc())
		return 0;
	return stream->_flags & STDIO_IN_BACKUP
		       ? own + (stream->_IO_save_end - stream->_IO_save_base)
		       : own;
}

/* Where libc knows the descriptor to be, and how many bytes it read up to there at last. */
static inline off64_t stdio_place(const FILE *stream)
{
	return libc_is_glibc() ? stream->_offset : 0;
}

static inline ssize_t stdio_filled(const FILE *stream)
{
	return libc_is_glibc() ? stream->_IO_read_end - stream->_IO_read_base : 0;
}

/* Whether libc would now read from the kernel, and much of it straight into the caller's memory. */
static inline bool stdio_is_between_buffers(const FILE *stream)
{
	return libc_is_glibc() && stream->_IO_buf_base &&
	       stream->_IO_read_ptr == stream->_IO_read_end && stream->_mode <= 0 &&
	       !(stream->_flags2 & STDIO_MAPPED) &&
	       !(stream->_flags &
		 (STDIO_NO_READS | STDIO_IN_BACKUP | STDIO_PUTTING | _IO_EOF_SEEN));
}

/*
 * What libc would ask of the kernel in one call then, of `n` bytes: whole buffers, but for the sake
 * of a tiny buffer it keeps no alignment (libio/fileops.c, _IO_file_xsgetn()).
 */
static inline size_t stdio_whole_buffers(const FILE *stream, size_t n)
{
	size_t buffer = (size_t)(stream->_IO_buf_end - stream->_IO_buf_base);
	enum { LEAST_BLOCK = 128 };

	if (n < buffer)
		return 0;
	return buffer < LEAST_BLOCK ? n : n - n % buffer;
}

/* The FILE as libc leaves it behind such a call: nothing buffered, its place moved. */
static inline void stdio_went_by(FILE *stream, size_t n)
{
	stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_buf_base;
	stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end =
		stream->_IO_buf_base;
	if (stream->_offset >= 0)
		stream->_offset += (off64_t)n;
}

#else

static inline bool stdio_has_input(const FILE *stream)
{
	(void)stream;
	return false;
}

static inline int stdio_take(FILE *stream)
{
	(void)stream;
	return EOF;
}

static inline bool stdio_has_room(const FILE *stream)
{
	(void)stream;
	return false;
}

static inline int stdio_put(int c, FILE *stream)
{
	(void)c, (void)stream;
	return EOF;
}

static inline bool stdio_needs_no_lock(const FILE *stream)
{
	(void)stream;
	return false;
}

static inline ssize_t stdio_held(const FILE *stream)
{
	(void)stream;
	return 0;
}

static inline off64_t stdio_place(const FILE *stream)
{
	(void)stream;
	return 0;
}

static inline ssize_t stdio_filled(const FILE *stream)
{
	(void)stream;
	return 0;
}

static inline bool stdio_is_between_buffers(const FILE *stream)
{
	(void)stream;
	return false;
}

static inline size_t stdio_whole_buffers(const FILE *stream, size_t n)
{
	(void)stream, (void)n;
	return 0;
}

static inline void stdio_went_by(FILE *stream, size_t n)
{
	(void)stream, (void)n;
}

#endif

#endif
