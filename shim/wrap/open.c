/* open.c - calls that make a descriptor from a name. */
#include "wrap.h"

/* The mode is there only for these flags (open(2)); O_TMPFILE shares bits with O_DIRECTORY. */
static bool has_mode(int flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

/*
 * To be called before `next` is looked at, for it may start the library (tests/adversity/ends.c).
 * O_DIRECT is not even asked of the kernel where every file is `buffered`. A relaxed file may be
 * the one that is opened again, or truncated by it.
 */
static int kernel_flags(int flags)
{
	all_settled();
	return config.all_buffered ? flags & ~O_DIRECT : flags;
}

static int opened(int fd, int flags)
{
	engine_numbered(fd);
	engine_opened(fd);
	if (unlikely(flags & O_DIRECT) && fd >= 0)
		engine_opened_direct(fd, config.all_buffered);
	return fd;
}

#define MODE_ARGUMENT(mode, flags)                                                                 \
	do {                                                                                       \
		if (has_mode(flags)) {                                                             \
			va_list list;                                                              \
			va_start(list, flags);                                                     \
			mode = va_arg(list, mode_t);                                               \
			va_end(list);                                                              \
		}                                                                                  \
	} while (0)

#define OPEN(name)                                                                                 \
	EXPORT int name(const char *path, int flags, ...)                                          \
	{                                                                                          \
		mode_t mode = 0;                                                                   \
		int asked;                                                                         \
                                                                                                   \
		MODE_ARGUMENT(mode, flags);                                                        \
		asked = kernel_flags(flags);                                                       \
		return opened(next.name(path, asked, mode), flags);                                \
	}

#define OPENAT(name)                                                                               \
	EXPORT int name(int dir, const char *path, int flags, ...)                                 \
	{                                                                                          \
		mode_t mode = 0;                                                                   \
		int asked;                                                                         \
                                                                                                   \
		MODE_ARGUMENT(mode, flags);                                                        \
		asked = kernel_flags(flags);                                                       \
		return opened(next.name(dir, path, asked, mode), flags);                           \
	}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* What fortified programs call where the flags are not constant. */
#define OPEN_2(name)                                                                               \
	EXPORT int name(const char *path, int flags)                                               \
	{                                                                                          \
		int asked = kernel_flags(flags);                                                   \
                                                                                                   \
		return opened(next.name(path, asked), flags);                                      \
	}

#define OPENAT_2(name)                                                                             \
	EXPORT int name(int dir, const char *path, int flags)                                      \
	{                                                                                          \
		int asked = kernel_flags(flags);                                                   \
                                                                                                   \
		return opened(next.name(dir, path, asked), flags);                                 \
	}

OPEN_2(__open_2)
OPEN_2(__open64_2)
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

/* A call that empties the file. */
#define CREAT(name)                                                                                \
	EXPORT int name(const char *path, mode_t mode)                                             \
	{                                                                                          \
		all_settled();                                                                     \
		return opened(next.name(path, mode), 0);                                           \
	}

CREAT(creat)
CREAT(creat64)

/* Calls that make a new file. */
#define MAKES_DESCRIPTOR(name, parameters, arguments, flags)                                       \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		ensure_started();                                                                  \
		return opened(next.name arguments, flags);                                         \
	}

MAKES_DESCRIPTOR(mkstemp, (char *name), (name), 0)
MAKES_DESCRIPTOR(mkstemp64, (char *name), (name), 0)
MAKES_DESCRIPTOR(mkostemp, (char *name, int flags), (name, flags), flags)
MAKES_DESCRIPTOR(mkostemp64, (char *name, int flags), (name, flags), flags)
MAKES_DESCRIPTOR(mkstemps, (char *name, int suffix), (name, suffix), 0)
MAKES_DESCRIPTOR(mkstemps64, (char *name, int suffix), (name, suffix), 0)
MAKES_DESCRIPTOR(mkostemps, (char *name, int suffix, int flags), (name, suffix, flags), flags)
MAKES_DESCRIPTOR(mkostemps64, (char *name, int suffix, int flags), (name, suffix, flags), flags)
