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
#include <pthread.h>
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

#include "musl.h"

struct next {
#define CALL(type, name, parameters) type(*name) parameters;
#include "calls.def"
#undef CALL
#define OLD(name, version, type, ours, parameters) type(*ours) parameters;
#include "versions.def"
#undef OLD
};

extern struct next next;

/*
 * pthread_testcancel(3), pthread_setcanceltype(3) and pthread_setcancelstate(3), for calls that are
 * carried out here instead of by libc; or NULL.
 */
extern void (*next_testcancel)(void);
extern int (*next_setcanceltype)(int type, int *old);
extern int (*next_setcancelstate)(int state, int *old);

/* The prototypes of our own definitions, for those that libc's headers do not declare. */
#define CALL(type, name, parameters) type name parameters;
#include "calls.def"
#undef CALL

/* Those of versions.def are seen from outside by libc's name and that version alone. */
#define OLD(name, version, type, ours, parameters)                                                 \
	type ours parameters;                                                                      \
	__asm__(".symver " #ours ", " #name "@" version ", remove");
#include "versions.def"
#undef OLD

/* Beside today's function of such a name: the version by which it is asked for. */
#define NOW(name, version) __asm__(".symver " #name ", " #name "@@@" version);

/* Looks all of them up. */
void next_begin(void);

#endif
