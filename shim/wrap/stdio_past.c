/* stdio_past.c - whole buffers of a FILE, read past the page cache. */
#include "stdio.h"

size_t stdio_read_past(struct file *file, int fd, FILE *stream, void *buffer, size_t n)
{
	struct iovec iov = {buffer, 0};
	ssize_t done;

	if (!stdio_is_between_buffers(stream))
		return 0;
	iov.iov_len = stdio_whole_buffers(stream, n);
	if (!iov.iov_len || !direct_wants_read(file, iov.iov_len))
		return 0;
	done = direct_read(file, fd, &iov, 1, -1);
	if (done <= 0)
		return 0;
	stdio_went_by(stream, (size_t)done);
	return (size_t)done;
}
