/* procfs.c - reading single figures from the kernel's text files. */
#include "procfs.h"

#include "scratch.h"
#include "sys.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

/* Reads the start of a file into the scratch; returns how much, or -errno. */
static long read_start(const char *path, char *scratch)
{
	long fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	long n = 0, held = 0;

	if (sys_failed(fd))
		return fd;
	while (held < SCRATCH_SIZE - 1 &&
	       (n = sys_read((int)fd, scratch + held, (size_t)(SCRATCH_SIZE - 1 - held))) > 0)
		held += n;
	sys_close((int)fd);
	scratch[held] = '\0';
	return held ? held : n;
}

static int64_t number_at(const char *s)
{
	uint64_t n;

	while (*s == ' ' || *s == ':' || *s == '\t')
		s++;
	return text_read_unsigned(&s, &n) && n <= INT64_MAX ? (int64_t)n : -1;
}

static int64_t number_of_line(const char *text, const char *key)
{
	size_t n = strlen(key);

	while (*text) {
		if (text_starts(text, key) && (text[n] == ' ' || text[n] == ':'))
			return number_at(text + n);
		while (*text && *text++ != '\n')
			;
	}
	return -1;
}

int64_t procfs_number(const char *path, const char *key)
{
	char *scratch = scratch_take();
	int64_t n = -1;

	if (scratch && read_start(path, scratch) > 0)
		n = number_of_line(scratch, key);
	scratch_give(scratch);
	return n;
}

int procfs_says(const char *path, const char *word)
{
	char *scratch = scratch_take();
	long found = scratch ? read_start(path, scratch) : -ENOMEM;

	if (found > 0) {
		found = 0;
		for (const char *s = scratch; *s && !found; s++)
			found = text_starts(s, word);
	}
	scratch_give(scratch);
	return (int)found;
}

int64_t procfs_first_number(const char *path)
{
	char *scratch = scratch_take();
	int64_t n = -1;

	if (scratch && read_start(path, scratch) > 0)
		n = number_at(scratch);
	scratch_give(scratch);
	return n;
}

uint64_t procfs_memory(void)
{
	static const char *const limits[] = {
		"/sys/fs/cgroup/memory.max",                   /* version 2 */
		"/sys/fs/cgroup/memory/memory.limit_in_bytes", /* version 1 */
	};
	int64_t memory = procfs_number("/proc/meminfo", "MemTotal") * 1024;

	for (int i = 0; i < 2; i++) {
		int64_t limit = procfs_first_number(limits[i]);

		if (limit > 0 && limit < memory)
			memory = limit;
	}
	return memory > 0 ? (uint64_t)memory : 0;
}
