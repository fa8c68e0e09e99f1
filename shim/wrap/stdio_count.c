/*
 * stdio_count.c - what libc read from a descriptor for a FILE.
 *
 * That is what the program took, and what the FILE holds more of than before. Threads that share a
 * FILE may be counted by up to a buffer more or less.
 */
#include "stdio.h"

/* A call that filled no buffer read nothing; that is the end of the file only where it says so. */
void stdio_moved(struct file *file, int fd, int64_t n, bool ended)
{
	if (n > 0 || ended)
		engine_did_read(file, fd, larger(n, 0));
	else
		file_count(file, COUNT_reads, 1);
}

void stdio_took(struct file *file, int fd, FILE *stream, ssize_t before, ssize_t taken)
{
	stdio_moved(file, fd, taken + stdio_held(stream) - before, taken <= 0);
}
