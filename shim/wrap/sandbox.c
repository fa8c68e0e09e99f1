/*
 * sandbox.c - prctl(2) and syscall(2): programs that lock themselves in, after which a system call
 * of ours could kill them, and system calls made without libc's own functions.
 */
#include "usermem.h"
#include "wrap.h"

#include "sys.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Passive before the filter is there; active again where it was refused. */
static long entering(bool enters, long (*call)(long, const long *), long number,
		     const long *arguments)
{
	bool was = engine_passive_now();
	long done;

	if (enters)
		engine_passive(true);
	done = call(number, arguments);
	if (enters && done != 0)
		engine_passive(was);
	return done;
}

#define PRCTL(name)                                                                                \
	static long call_##name(long option, const long *a)                                        \
	{                                                                                          \
		return next.name((int)option, a[0], a[1], a[2], a[3]);                             \
	}                                                                                          \
                                                                                                   \
	EXPORT int name(int option, ...)                                                           \
	{                                                                                          \
		long arguments[4];                                                                 \
		va_list list;                                                                      \
                                                                                                   \
		va_start(list, option);                                                            \
		for (int i = 0; i < 4; i++)                                                        \
			arguments[i] = va_arg(list, long);                                         \
		va_end(list);                                                                      \
		ensure_started();                                                                  \
		return (int)entering(option == PR_SET_SECCOMP, call_##name, option, arguments);    \
	}

PRCTL(prctl)
#ifdef __i386__
PRCTL(__prctl_time64)
#endif

static long call_syscall(long number, const long *a)
{
	return next.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static bool enters_sandbox(long number, const long *a)
{
	if (number == SYS_seccomp)
		return a[0] == SECCOMP_SET_MODE_STRICT || a[0] == SECCOMP_SET_MODE_FILTER;
	return number == SYS_prctl && a[0] == PR_SET_SECCOMP;
}

/* Its child uses the descriptors of this process, too. */
static bool makes_process(long number)
{
#ifdef SYS_fork
	if (number == SYS_fork || number == SYS_vfork)
		return true;
#endif
	return number == SYS_clone || number == SYS_clone3;
}

#if __SIZEOF_LONG__ == 4
/* An offset in two registers, the low one first. */
static off64_t wide(const long *a)
{
	return (off64_t)((uint64_t)(uint32_t)a[1] << 32 | (uint32_t)a[0]);
}
#endif

/* The flags of clone3(2) are the first word of what it is given. */
static void shares(long number, const long *a)
{
	uint64_t flags = number == SYS_clone ? (uint64_t)a[0] : 0;

	if (number == SYS_clone3)
		sys_peek((void *)a[0], &flags, sizeof(flags));
	engine_passes_on();
	engine_shares_numbers(flags);
}

/*
 * System calls that have a wrapper here go through it: the engine sees them as any other. Not
 * where the running libc has no function of that name.
 */
static bool through_wrapper(long number, const long *a, long *done)
{
	switch (number) {
#define THROUGH(name, call)                                                                        \
	case SYS_##name:                                                                           \
		if (!next.name)                                                                    \
			return false;                                                              \
		*done = call;                                                                      \
		return true;
		THROUGH(read, read((int)a[0], (void *)a[1], (size_t)a[2]))
		THROUGH(write, write((int)a[0], (void *)a[1], (size_t)a[2]))
		THROUGH(readv, readv((int)a[0], (void *)a[1], (int)a[2]))
		THROUGH(writev, writev((int)a[0], (void *)a[1], (int)a[2]))
		THROUGH(openat, openat((int)a[0], (char *)a[1], (int)a[2], (mode_t)a[3]))
		THROUGH(lseek, lseek((int)a[0], a[1], (int)a[2]))
		THROUGH(close, close((int)a[0]))
		THROUGH(dup, dup((int)a[0]))
		THROUGH(dup3, dup3((int)a[0], (int)a[1], (int)a[2]))
		THROUGH(close_range, close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]))
		THROUGH(fsync, fsync((int)a[0]))
		THROUGH(fdatasync, fdatasync((int)a[0]))
		THROUGH(copy_file_range,
			copy_file_range((int)a[0], (off64_t *)a[1], (int)a[2], (off64_t *)a[3],
					(size_t)a[4], (unsigned)a[5]))
		THROUGH(splice, splice((int)a[0], (off64_t *)a[1], (int)a[2], (off64_t *)a[3],
				       (size_t)a[4], (unsigned)a[5]))
#if __SIZEOF_LONG__ == 8
		THROUGH(pread64, pread64((int)a[0], (void *)a[1], (size_t)a[2], a[3]))
		THROUGH(pwrite64, pwrite64((int)a[0], (void *)a[1], (size_t)a[2], a[3]))
		THROUGH(preadv, preadv((int)a[0], (void *)a[1], (int)a[2], a[3]))
		THROUGH(pwritev, pwritev((int)a[0], (void *)a[1], (int)a[2], a[3]))
		THROUGH(preadv2, preadv2((int)a[0], (void *)a[1], (int)a[2], a[3], (int)a[5]))
		THROUGH(pwritev2, pwritev2((int)a[0], (void *)a[1], (int)a[2], a[3], (int)a[5]))
		THROUGH(fcntl, fcntl((int)a[0], (int)a[1], a[2]))
		THROUGH(sendfile, sendfile64((int)a[0], (int)a[1], (off64_t *)a[2], (size_t)a[3]))
#else
		THROUGH(pread64, pread64((int)a[0], (void *)a[1], (size_t)a[2], wide(a + 3)))
		THROUGH(pwrite64, pwrite64((int)a[0], (void *)a[1], (size_t)a[2], wide(a + 3)))
		THROUGH(preadv, preadv64((int)a[0], (void *)a[1], (int)a[2], wide(a + 3)))
		THROUGH(pwritev, pwritev64((int)a[0], (void *)a[1], (int)a[2], wide(a + 3)))
		THROUGH(preadv2,
			preadv64v2((int)a[0], (void *)a[1], (int)a[2], wide(a + 3), (int)a[5]))
		THROUGH(pwritev2,
			pwritev64v2((int)a[0], (void *)a[1], (int)a[2], wide(a + 3), (int)a[5]))
		THROUGH(fcntl64, fcntl64((int)a[0], (int)a[1], a[2]))
		THROUGH(sendfile64, sendfile64((int)a[0], (int)a[1], (off64_t *)a[2], (size_t)a[3]))
#endif
#ifdef SYS_open
		THROUGH(open, open((char *)a[0], (int)a[1], (mode_t)a[2]))
		THROUGH(creat, creat((char *)a[0], (mode_t)a[1]))
		THROUGH(dup2, dup2((int)a[0], (int)a[1]))
#endif
#undef THROUGH
	default:
		return false;
	}
}

/* syscall(2) is no cancellation point, as some of the wrappers are (pthreads(7)). */
static bool uncancelled(long number, const long *a, long *done)
{
	int state = PTHREAD_CANCEL_ENABLE;
	bool through;

	if (next_setcancelstate)
		next_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	through = through_wrapper(number, a, done);
	if (next_setcancelstate)
		next_setcancelstate(state, NULL);
	return through;
}

EXPORT long syscall(long number, ...)
{
	long arguments[6], done;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	ensure_started();
	usermem_changed();
	if (number == SYS_exit_group)
		engine_exit();
	if (uncancelled(number, arguments, &done))
		return done;
	if (makes_process(number))
		shares(number, arguments);
	all_settled();
	return entering(enters_sandbox(number, arguments), call_syscall, number, arguments);
}
