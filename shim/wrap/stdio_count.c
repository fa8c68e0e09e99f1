/*
 * stdio_count.c - what libc read from a descriptor for a FILE.
 *
 * That is what the program took, and what the FILE holds more of than before. Threads that share a
 * FILE may be counted by up to a buffer more or less.
 */
#include "stdio.h"

/*
 * What a FILE holds that the program has not taken: of pushed-back characters, too, and of the
 * buffer that they stand in front of (ungetc(3)).
 */
ssize_t stdio_held(FILE *stream)
{
#ifdef __GLIBC__
	enum {
		IN_BACKUP = 0x100
	}; /* glibc's libio.h, _IO_IN_BACKUP: the save area is the buffer */
	ssize_t own = stream->_IO_read_end - stream->_IO_read_ptr;

	if (!libc_is_glibc())
		return 0;
	return stream->_flags & IN_BACKUP ? own + (stream->_IO_save_end - stream->_IO_save_base)
					  : own;
#else
	(void)stream;
	return 0;
#endif
}

/* A call that filled no buffer read nothing; that is the end of the file only where it says so. */
void stdio_moved(struct file *file, int fd, int64_t n, bool ended)
{
	if (n > 0 || ended)
		engine_did_read(file, fd, larger(n, 0));
	else
		file_count(file, COUNT_reads, 1);
}

/* A call took `taken` bytes from a FILE that held `before`. */
void stdio_took(struct file *file, int fd, FILE *stream, ssize_t before, ssize_t taken)
{
	stdio_moved(file, fd, taken + stdio_held(stream) - before, taken <= 0);
}
