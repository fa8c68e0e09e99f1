/*
 * next.h - the next definition of every interposed symbol: libc's, or that of a shim behind us.
 *
 * `next.read` is NULL only where the running libc has no such symbol; then no program of that
 * libc calls ours.
 */
#ifndef NOCACHE_NEXT_H
#define NOCACHE_NEXT_H

#include <aio.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

struct next {
#define CALL(type, name, parameters) type(*name) parameters;
#include "calls.def"
#undef CALL
};

extern struct next next;

/* pthread_testcancel(3), for calls that are carried out here instead of by libc; or NULL. */
extern void (*next_testcancel)(void);

/* The prototypes of our own definitions, for those that libc's headers do not declare. */
#define CALL(type, name, parameters) type name parameters;
#include "calls.def"
#undef CALL

/* Looks all of them up. */
void next_begin(void);

#endif
