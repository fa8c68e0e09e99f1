/* call.h - one system call with up to six arguments, on the architecture at hand. */
#ifndef NOCACHE_SYS_CALL_H
#define NOCACHE_SYS_CALL_H

#if defined(__x86_64__) && defined(__LP64__)
#include "call_x86_64.h"
#elif defined(__aarch64__)
#include "call_aarch64.h"
#elif defined(__i386__)
#include "call_i386.h"
#else
#error "no system call sequence for this architecture: add shim/sys/call_ARCH.h"
#endif

/* A 32-bit kernel has calls of other names where times, offsets or users are wider than a long. */
#if __SIZEOF_LONG__ == 4
#define NR_clock_gettime __NR_clock_gettime64
#define NR_clock_nanosleep __NR_clock_nanosleep_time64
#define NR_fcntl __NR_fcntl64
#define NR_geteuid __NR_geteuid32
#define NR_rt_sigtimedwait __NR_rt_sigtimedwait_time64
#else
#define NR_clock_gettime __NR_clock_gettime
#define NR_clock_nanosleep __NR_clock_nanosleep
#define NR_fcntl __NR_fcntl
#define NR_geteuid __NR_geteuid
#define NR_rt_sigtimedwait __NR_rt_sigtimedwait
#endif

#define CALL0(nr) sys_call(nr, 0, 0, 0, 0, 0, 0)
#define CALL1(nr, a) sys_call(nr, (long)(a), 0, 0, 0, 0, 0)
#define CALL2(nr, a, b) sys_call(nr, (long)(a), (long)(b), 0, 0, 0, 0)
#define CALL3(nr, a, b, c) sys_call(nr, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CALL4(nr, a, b, c, d) sys_call(nr, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define CALL5(nr, a, b, c, d, e)                                                                   \
	sys_call(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define CALL6(nr, a, b, c, d, e, f)                                                                \
	sys_call(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
