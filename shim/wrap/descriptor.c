/* descriptor.c - calls that copy, close, lock or reconfigure a descriptor. */
#include "wrap.h"

#include "sys.h"

#include <errno.h>
#include <limits.h>
#include <linux/close_range.h>

static int duplicated(int fd, int copy)
{
	if (copy >= 0)
		engine_duplicated(fd, copy);
	return copy;
}

/* dup2 closes what `copy` was, but only if `fd` is open. */
static void will_replace(int fd, int copy)
{
	if (fd == copy || engine_passive_now() || sys_failed(sys_getflags(fd)))
		return;
	engine_uncovers(copy);
	if (managed(copy))
		engine_closing(copy, false);
}

EXPORT int dup(int fd)
{
	int copy;

	ensure_started();
	copy = next.dup(fd);
	engine_numbered(copy);
	return duplicated(fd, copy);
}

EXPORT int dup2(int fd, int copy)
{
	ensure_started();
	will_replace(fd, copy);
	return duplicated(fd, next.dup2(fd, copy));
}

EXPORT int dup3(int fd, int copy, int flags)
{
	ensure_started();
	if (!(flags & ~O_CLOEXEC))
		will_replace(fd, copy);
	return duplicated(fd, next.dup3(fd, copy, flags));
}

static int closed(int fd)
{
	int done;

	engine_closing(fd, false);
	done = next.close(fd);
	engine_closed();
	return done;
}

/* Bytes that could not be written are lost with the descriptor: it is closed all the same. */
static int settled_and_closed(int fd)
{
	int unwritten = engine_settle(fd), done = closed(fd);

	return done == 0 && unwritten ? (int)result(unwritten) : done;
}

EXPORT int close(int fd)
{
	ensure_started();
	if (unlikely(engine_hides(fd)))
		return (int)result(-EBADF);
	return unlikely(relaxed_any()) ? settled_and_closed(fd) : closed(fd);
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	ensure_started();
	if (first <= last && !(flags & ~CLOSE_RANGE_UNSHARE))
		engine_closing_range(first, last);
	return next.close_range(first, last, flags);
}

EXPORT void closefrom(int first)
{
	ensure_started();
	engine_closing_range(first > 0 ? (unsigned)first : 0, UINT_MAX);
	next.closefrom(first);
}

static bool takes_lock(int command)
{
	return command == F_LOCK || command == F_TLOCK;
}

EXPORT int lockf(int fd, int command, off_t length)
{
	settled(fd);
	if (takes_lock(command))
		engine_locks(fd);
	return next.lockf(fd, command, length);
}

EXPORT int lockf64(int fd, int command, off64_t length)
{
	settled(fd);
	if (takes_lock(command))
		engine_locks(fd);
	return next.lockf64(fd, command, length);
}

/* O_DIRECT was taken from this description: the program sees and sets a flag of its own. */
static int set_hidden_flags(struct file *file, int fd, int command, long flags,
			    int (*call)(int, int, ...))
{
	int done = call(fd, command, flags & ~O_DIRECT);

	if (done == 0)
		atomic_store_explicit(&file->hides_direct, flags & O_DIRECT, memory_order_relaxed);
	return done;
}

static int set_flags(struct file *file, int fd, int command, long flags, int (*call)(int, int, ...))
{
	int done;

	if (file_policy(file) == POLICY_BUFFERED)
		return set_hidden_flags(file, fd, command, flags, call);
	done = call(fd, command, flags);
	if (done == 0)
		engine_went_direct(file, flags & O_DIRECT);
	return done;
}

static int shown_flags(const struct file *file, int flags)
{
	bool hidden = atomic_load_explicit(&file->hides_direct, memory_order_relaxed);

	return flags >= 0 && hidden ? flags | O_DIRECT : flags;
}

/* A 32-bit program has two of each: with narrow offsets and with wide ones. */
static bool sets_lock(int command)
{
	return command == F_SETLK || command == F_SETLKW || command == F_SETLK64 ||
	       command == F_SETLKW64;
}

static int control(int fd, int command, long argument, int (*call)(int, int, ...))
{
	struct file *file;

	settled(fd);
	if (sets_lock(command))
		engine_locks(fd);
	switch (command) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		return duplicated(fd, call(fd, command, argument));
	case F_GETFL:
		file = managed(fd);
		return file ? shown_flags(file, call(fd, command)) : call(fd, command);
	case F_SETFL:
		file = managed(fd);
		if (file)
			return set_flags(file, fd, command, argument, call);
		return call(fd, command, argument);
	default:
		return call(fd, command, argument);
	}
}

/* The third argument is an int, a long or a pointer, or is not there (fcntl(2)). */
#define FCNTL(name)                                                                                \
	EXPORT int name(int fd, int command, ...)                                                  \
	{                                                                                          \
		va_list list;                                                                      \
		long argument;                                                                     \
                                                                                                   \
		va_start(list, command);                                                           \
		argument = va_arg(list, long);                                                     \
		va_end(list);                                                                      \
		ensure_started();                                                                  \
		return control(fd, command, argument, next.name);                                  \
	}

FCNTL(fcntl)
FCNTL(fcntl64)
#ifdef __i386__
FCNTL(__fcntl_time64)
FCNTL(fcntl_old)
NOW(fcntl, "GLIBC_2.28")
#endif
