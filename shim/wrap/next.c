/*
 * next.c - looking up what we stand in front of. The only place that calls dlsym(3).
 *
 * All symbols are looked up at once and before the program runs: a look-up inside a wrapper
 * could come in a signal handler, or inside the program's malloc.
 */
#include "next.h"

#include <dlfcn.h>
#include <string.h>

struct next next;
void (*next_testcancel)(void);
int (*next_setcanceltype)(int type, int *old);
int (*next_setcancelstate)(int state, int *old);

/* musl has no versions. */
__attribute__((weak)) void *dlvsym(void *handle, const char *name, const char *version);

/* A pointer to a function does not convert from void * in ISO C; POSIX says it may be copied. */
static void look_up(void *pointer, const char *name, const char *version)
{
	void *found = version && dlvsym ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);

	memcpy(pointer, &found, sizeof(found));
}

void next_begin(void)
{
#define CALL(type, name, parameters) look_up(&next.name, #name, NULL);
#include "calls.def"
#undef CALL
#define OLD(name, version, type, ours, parameters) look_up(&next.ours, #name, version);
#include "versions.def"
#undef OLD
	look_up(&next_testcancel, "pthread_testcancel", NULL);
	look_up(&next_setcanceltype, "pthread_setcanceltype", NULL);
	look_up(&next_setcancelstate, "pthread_setcancelstate", NULL);
}
