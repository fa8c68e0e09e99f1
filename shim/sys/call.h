/* call.h - one system call with up to six arguments, on the architecture at hand. */
#ifndef NOCACHE_SYS_CALL_H
#define NOCACHE_SYS_CALL_H

#if defined(__x86_64__) && defined(__LP64__)
#include "call_x86_64.h"
#elif defined(__aarch64__)
#include "call_aarch64.h"
#else
#error "no system call sequence for this architecture: add shim/sys/call_ARCH.h"
#endif

#endif
