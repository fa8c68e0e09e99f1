/* stdio_past.c - whole buffers of a FILE, read past the page cache. */
#include "stdio.h"

#ifdef __GLIBC__

/* glibc's words for the state of a FILE that its headers leave out; its ABI like the struct. */
enum {
	NO_READS = 0x4,            /* _flags */
	IN_BACKUP = 0x100,         /* _flags: reads come from what ungetc(3) put back */
	CURRENTLY_PUTTING = 0x800, /* _flags: the buffer holds what was written */
	MAPPED = 0x1,              /* _flags2: fopen(3) mode `m` */
	LEAST_BLOCK = 128,         /* libc keeps no alignment for the sake of smaller buffers */
};

/* Whether libc would now read from the kernel, and straight into the caller's memory if n is much.
 */
static bool is_between_buffers(const FILE *stream)
{
	return stream->_IO_buf_base && stream->_IO_read_ptr == stream->_IO_read_end &&
	       stream->_mode <= 0 && !(stream->_flags2 & MAPPED) &&
	       !(stream->_flags & (NO_READS | IN_BACKUP | CURRENTLY_PUTTING | _IO_EOF_SEEN));
}

/* What libc would ask of the kernel in one call: whole buffers. */
static size_t whole_buffers(const FILE *stream, size_t n)
{
	size_t buffer = (size_t)(stream->_IO_buf_end - stream->_IO_buf_base);

	if (n < buffer)
		return 0;
	return buffer < LEAST_BLOCK ? n : n - n % buffer;
}

/* The FILE as libc leaves it behind such a call: nothing buffered, its idea of the offset moved. */
static void went_by(FILE *stream, size_t n)
{
	stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_buf_base;
	stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end =
		stream->_IO_buf_base;
	if (stream->_offset >= 0)
		stream->_offset += (off64_t)n;
}

size_t stdio_read_past(struct file *file, int fd, FILE *stream, void *buffer, size_t n)
{
	struct iovec iov = {buffer, 0};
	ssize_t done;

	if (!libc_is_glibc() || !is_between_buffers(stream))
		return 0;
	iov.iov_len = whole_buffers(stream, n);
	if (!iov.iov_len || !direct_wants_read(file, iov.iov_len))
		return 0;
	done = direct_read(file, fd, &iov, 1, -1);
	if (done <= 0)
		return 0;
	went_by(stream, (size_t)done);
	return (size_t)done;
}

#else

size_t stdio_read_past(struct file *file, int fd, FILE *stream, void *buffer, size_t n)
{
	(void)file, (void)fd, (void)stream, (void)buffer, (void)n;
	return 0;
}

#endif
