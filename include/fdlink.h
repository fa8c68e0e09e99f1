/*
 * fdlink.h - a descriptor by its name in /proc/self/fd (proc(5)): the path of what is open, and a
 * second description of it.
 */
#ifndef NOCACHE_FDLINK_H
#define NOCACHE_FDLINK_H

#include <stddef.h>

/*
 * Writes the path of what `fd` means to `memory`, NUL-terminated; of a deleted file the path that
 * it had. Returns its length, or 0 where there is none or it does not fit.
 */
long fdlink_path(int fd, char *memory, size_t room);

/* Opens what `fd` means once more, with flags of its own. Returns a descriptor or -errno. */
long fdlink_open(int fd, int flags);

#endif
