/* fdlink.c - descriptors by their names in /proc/self/fd. */
#include "fdlink.h"

#include "sys.h"
#include "text.h"

#include <fcntl.h>

enum { LINK_ROOM = 32 };

static const char *link_of(int fd, char *memory)
{
	struct text text = text_over(memory, LINK_ROOM);

	text_string(&text, "/proc/self/fd/");
	text_signed(&text, fd);
	return text_end(&text);
}

long fdlink_path(int fd, char *memory, size_t room)
{
	static const char deleted[] = " (deleted)";
	long tail = sizeof(deleted) - 1;
	char link[LINK_ROOM];
	long n = sys_readlink(link_of(fd, link), memory, room);

	if (n <= 0 || (size_t)n >= room)
		return 0;
	memory[n] = '\0';
	if (n > tail && text_equal(memory + n - tail, deleted))
		n -= tail;
	memory[n] = '\0';
	return n;
}

long fdlink_open(int fd, int flags)
{
	char link[LINK_ROOM];

	return sys_openat(AT_FDCWD, link_of(fd, link), flags | O_CLOEXEC, 0);
}
