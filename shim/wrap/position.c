/*
 * position.c - calls that move an offset or change a size. The engine asks the kernel for both
 * when it needs them, so these are forwarded as they are once relaxed files are settled.
 */
#include "wrap.h"

#define LSEEK(name, offset_type)                                                                   \
	EXPORT offset_type name(int fd, offset_type offset, int whence)                            \
	{                                                                                          \
		struct file *file = managed(fd);                                                   \
                                                                                                   \
		if (file && (offset || whence != SEEK_CUR))                                        \
			engine_seeks(file);                                                        \
		return next.name(fd, offset, whence);                                              \
	}

#define RESIZES(name, parameters, arguments)                                                       \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		int done;                                                                          \
                                                                                                   \
		settled(fd);                                                                       \
		done = next.name arguments;                                                        \
		engine_resized(fd);                                                                \
		return done;                                                                       \
	}

LSEEK(lseek, off_t)
LSEEK(lseek64, off64_t)
RESIZES(ftruncate, (int fd, off_t length), (fd, length))
RESIZES(ftruncate64, (int fd, off64_t length), (fd, length))
FORWARDED(int, truncate, (const char *path, off_t length), (path, length), all_settled())
FORWARDED(int, truncate64, (const char *path, off64_t length), (path, length), all_settled())
RESIZES(fallocate, (int fd, int mode, off_t offset, off_t n), (fd, mode, offset, n))
RESIZES(fallocate64, (int fd, int mode, off64_t offset, off64_t n), (fd, mode, offset, n))
RESIZES(posix_fallocate, (int fd, off_t offset, off_t n), (fd, offset, n))
RESIZES(posix_fallocate64, (int fd, off64_t offset, off64_t n), (fd, offset, n))
#ifdef __i386__
RESIZES(posix_fallocate64_old, (int fd, off64_t offset, off_t n), (fd, offset, n))
NOW(posix_fallocate64, "GLIBC_2.3.3")
#endif
