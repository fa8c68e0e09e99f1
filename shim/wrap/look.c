/*
 * look.c - calls that look at a file, or change what a later write would change back: its times
 * by that write, its set-user-ID bit and its capabilities (chown(2), capabilities(7)). They are
 * here for relaxed files, which are settled first.
 */
#include "wrap.h"

#define BY_DESCRIPTOR(type, name, parameters, arguments)                                           \
	FORWARDED(type, name, parameters, arguments, settled(fd))
#define BY_NAME(type, name, parameters, arguments)                                                 \
	FORWARDED(type, name, parameters, arguments, all_settled())

/* A descriptor that nothing is known of yet may be one more of a relaxed file: that is met here. */
BY_DESCRIPTOR(int, fstat, (int fd, struct stat *st), (fd, st))
BY_DESCRIPTOR(int, fstat64, (int fd, struct stat64 *st), (fd, st))
BY_DESCRIPTOR(int, __fxstat, (int version, int fd, struct stat *st), (version, fd, st))
BY_DESCRIPTOR(int, __fxstat64, (int version, int fd, struct stat64 *st), (version, fd, st))
BY_NAME(int, stat, (const char *path, struct stat *st), (path, st))
BY_NAME(int, stat64, (const char *path, struct stat64 *st), (path, st))
BY_NAME(int, lstat, (const char *path, struct stat *st), (path, st))
BY_NAME(int, lstat64, (const char *path, struct stat64 *st), (path, st))
BY_NAME(int, fstatat, (int dir, const char *path, struct stat *st, int flags),
	(dir, path, st, flags))
BY_NAME(int, fstatat64, (int dir, const char *path, struct stat64 *st, int flags),
	(dir, path, st, flags))
BY_NAME(int, __xstat, (int version, const char *path, struct stat *st), (version, path, st))
BY_NAME(int, __xstat64, (int version, const char *path, struct stat64 *st), (version, path, st))
BY_NAME(int, __lxstat, (int version, const char *path, struct stat *st), (version, path, st))
BY_NAME(int, __lxstat64, (int version, const char *path, struct stat64 *st), (version, path, st))
BY_NAME(int, __fxstatat, (int version, int dir, const char *path, struct stat *st, int flags),
	(version, dir, path, st, flags))
BY_NAME(int, __fxstatat64, (int version, int dir, const char *path, struct stat64 *st, int flags),
	(version, dir, path, st, flags))
BY_NAME(int, statx, (int dir, const char *path, int flags, unsigned mask, struct statx *st),
	(dir, path, flags, mask, st))
BY_DESCRIPTOR(int, fstatfs, (int fd, struct statfs *st), (fd, st))
BY_DESCRIPTOR(int, fstatfs64, (int fd, struct statfs64 *st), (fd, st))
BY_DESCRIPTOR(int, fstatvfs, (int fd, struct statvfs *st), (fd, st))
BY_DESCRIPTOR(int, fstatvfs64, (int fd, struct statvfs64 *st), (fd, st))

BY_DESCRIPTOR(int, futimens, (int fd, const struct timespec times[2]), (fd, times))
BY_DESCRIPTOR(int, futimes, (int fd, const struct timeval times[2]), (fd, times))
BY_NAME(int, futimesat, (int dir, const char *path, const struct timeval times[2]),
	(dir, path, times))
BY_NAME(int, utimensat, (int dir, const char *path, const struct timespec times[2], int flags),
	(dir, path, times, flags))
BY_NAME(int, utimes, (const char *path, const struct timeval times[2]), (path, times))
BY_NAME(int, lutimes, (const char *path, const struct timeval times[2]), (path, times))
BY_NAME(int, utime, (const char *path, const struct utimbuf *times), (path, times))
BY_DESCRIPTOR(int, fchmod, (int fd, mode_t mode), (fd, mode))
BY_NAME(int, chmod, (const char *path, mode_t mode), (path, mode))
BY_NAME(int, fchmodat, (int dir, const char *path, mode_t mode, int flags),
	(dir, path, mode, flags))
BY_DESCRIPTOR(int, fchown, (int fd, uid_t owner, gid_t group), (fd, owner, group))
BY_NAME(int, chown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
BY_NAME(int, lchown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
BY_NAME(int, fchownat, (int dir, const char *path, uid_t owner, gid_t group, int flags),
	(dir, path, owner, group, flags))
BY_DESCRIPTOR(int, fsetxattr, (int fd, const char *name, const void *value, size_t size, int flags),
	      (fd, name, value, size, flags))
BY_NAME(int, setxattr,
	(const char *path, const char *name, const void *value, size_t size, int flags),
	(path, name, value, size, flags))
BY_NAME(int, lsetxattr,
	(const char *path, const char *name, const void *value, size_t size, int flags),
	(path, name, value, size, flags))

BY_DESCRIPTOR(int, flock, (int fd, int operation), (fd, operation))

/* Some take a second descriptor (ioctl_ficlone(2)). */
#define IOCTL(name)                                                                                \
	EXPORT int name(int fd, ioctl_request request, ...)                                        \
	{                                                                                          \
		va_list list;                                                                      \
		void *argument;                                                                    \
                                                                                                   \
		va_start(list, request);                                                           \
		argument = va_arg(list, void *);                                                   \
		va_end(list);                                                                      \
		all_settled();                                                                     \
		return next.name(fd, request, argument);                                           \
	}

IOCTL(ioctl)

/* What was written before a limit of file sizes is not bound by it. */
BY_NAME(int, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit),
	(resource, limit))
BY_NAME(int, setrlimit64, (__rlimit_resource_t resource, const struct rlimit64 *limit),
	(resource, limit))
BY_NAME(int, prlimit,
	(pid_t pid, __rlimit_resource_t resource, const struct rlimit *limit, struct rlimit *old),
	(pid, resource, limit, old))
BY_NAME(int, prlimit64,
	(pid_t pid, __rlimit_resource_t resource, const struct rlimit64 *limit,
	 struct rlimit64 *old),
	(pid, resource, limit, old))

#ifdef __i386__
BY_DESCRIPTOR(int, __fstat64_time64, (int fd, void *st), (fd, st))
BY_NAME(int, __stat64_time64, (const char *path, void *st), (path, st))
BY_NAME(int, __lstat64_time64, (const char *path, void *st), (path, st))
BY_NAME(int, __fstatat64_time64, (int dir, const char *path, void *st, int flags),
	(dir, path, st, flags))
BY_DESCRIPTOR(int, __futimens64, (int fd, const void *times), (fd, times))
BY_DESCRIPTOR(int, __futimes64, (int fd, const void *times), (fd, times))
BY_NAME(int, __futimesat64, (int dir, const char *path, const void *times), (dir, path, times))
BY_NAME(int, __utimensat64, (int dir, const char *path, const void *times, int flags),
	(dir, path, times, flags))
BY_NAME(int, __utimes64, (const char *path, const void *times), (path, times))
BY_NAME(int, __lutimes64, (const char *path, const void *times), (path, times))
BY_NAME(int, __utime64, (const char *path, const void *times), (path, times))
IOCTL(__ioctl_time64)
BY_NAME(int, chown_old, (const char *path, uid_t owner, gid_t group), (path, owner, group))
BY_NAME(int, setrlimit_old, (__rlimit_resource_t resource, const struct rlimit *limit),
	(resource, limit))
NOW(chown, "GLIBC_2.1")
NOW(setrlimit, "GLIBC_2.2")
#endif
