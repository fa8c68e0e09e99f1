/* mappings.c - /proc/self/maps (proc_pid_maps(5)), read a line at a time. */
#include "mappings.h"

#include "scratch.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21 /* linux/mman.h; not in older libc headers */
#endif

struct mapping {
	void *address;
	size_t length;
	const char *path;
};

struct lines {
	int fd;
	char *buffer; /* of SCRATCH_SIZE bytes */
	size_t at, end;
};

/* Makes room behind what is not used up yet, and fills it; false where nothing comes. */
static bool fill(struct lines *lines)
{
	long n;

	memmove(lines->buffer, lines->buffer + lines->at, lines->end - lines->at);
	lines->end -= lines->at;
	lines->at = 0;
	n = sys_read(lines->fd, lines->buffer + lines->end, SCRATCH_SIZE - lines->end);
	if (n <= 0)
		return false;
	lines->end += (size_t)n;
	return true;
}

/* The next line, without its end; NULL after the last, or at one that is longer than the buffer. */
static const char *next_line(struct lines *lines)
{
	char *line, *end;

	do {
		line = lines->buffer + lines->at;
		end = memchr(line, '\n', lines->end - lines->at);
	} while (!end && fill(lines));
	if (!end)
		return NULL;
	*end = '\0';
	lines->at = (size_t)(end + 1 - lines->buffer);
	return line;
}

static uintptr_t read_hex(const char **s)
{
	uintptr_t n = 0;

	for (;; ++*s) {
		if (**s >= '0' && **s <= '9')
			n = n * 16 + (uintptr_t)(**s - '0');
		else if (**s >= 'a' && **s <= 'f')
			n = n * 16 + (uintptr_t)(**s - 'a' + 10);
		else
			return n;
	}
}

static const char *next_word(const char *s)
{
	while (*s && *s != ' ')
		s++;
	while (*s == ' ')
		s++;
	return s;
}

/* `FROM-TO PERMISSIONS OFFSET DEVICE INODE PATH`; false where it is not one of a file for us. */
static bool parse(const char *line, struct mapping *mapping)
{
	const char *permissions = next_word(line);
	uintptr_t from = read_hex(&line), to;

	if (*line++ != '-')
		return false;
	to = read_hex(&line);
	mapping->address = (void *)from;
	mapping->length = to - from;
	mapping->path = next_word(next_word(next_word(next_word(permissions))));
	return *mapping->path == '/' && (permissions[1] != 'w' || permissions[3] == 's');
}

static void give_up(const struct mapping *mapping, bool (*may)(const struct statx *st, void *data),
		    void *data)
{
	struct statx st;

	if (!sys_failed(sys_stat_at(AT_FDCWD, mapping->path, &st)) && may(&st, data))
		sys_madvise(mapping->address, mapping->length, MADV_PAGEOUT);
}

void mappings_give_up(bool (*may)(const struct statx *st, void *data), void *data)
{
	struct lines lines = {.buffer = scratch_take()};
	struct mapping mapping;
	const char *line;
	long fd = -1;

	if (lines.buffer)
		fd = sys_openat(AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	if (!sys_failed(fd)) {
		lines.fd = (int)fd;
		while ((line = next_line(&lines)))
			if (parse(line, &mapping))
				give_up(&mapping, may, data);
		sys_close((int)fd);
	}
	scratch_give(lines.buffer);
}
