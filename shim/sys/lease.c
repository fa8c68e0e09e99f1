/* lease.c - the system calls of sys.h about leases, locks and the signals that go with them. */
#include "sys.h"

#include "call.h"

#include <fcntl.h>
#include <linux/time_types.h>
#include <sys/syscall.h>
#include <unistd.h>

long sys_lease(int fd, int type)
{
	return CALL3(NR_fcntl, fd, F_SETLEASE, type);
}

long sys_lease_signal(int fd, int signal)
{
	struct f_owner_ex owner = {F_OWNER_TID, (int)CALL0(__NR_gettid)};
	long result = CALL3(NR_fcntl, fd, F_SETSIG, signal);

	return sys_failed(result) ? result : CALL3(NR_fcntl, fd, F_SETOWN_EX, &owner);
}

/* linux/fcntl.h, struct flock64: libc's may have narrow offsets. */
struct kernel_lock {
	short type;
	short whence;
	int64_t start;
	int64_t length;
	int pid;
};

long sys_lock_on(int fd)
{
	struct kernel_lock lock = {.type = F_WRLCK, .whence = SEEK_SET};
	long result = CALL3(NR_fcntl, fd, F_OFD_GETLK, &lock);

	return sys_failed(result) ? result : lock.type;
}

long sys_block_signal(int signal, uint64_t *old)
{
	uint64_t mask = 1ULL << (signal - 1);

	return CALL4(__NR_rt_sigprocmask, SIG_BLOCK, &mask, old, sizeof(mask));
}

long sys_block_signals(uint64_t *old)
{
	uint64_t mask = ~(1ULL << (SIGSEGV - 1) | 1ULL << (SIGBUS - 1) | 1ULL << (SIGILL - 1) |
			  1ULL << (SIGFPE - 1) | 1ULL << (SIGTRAP - 1) | 1ULL << (SIGSYS - 1));

	return CALL4(__NR_rt_sigprocmask, SIG_BLOCK, &mask, old, sizeof(mask));
}

void sys_restore_signals(const uint64_t *old)
{
	CALL4(__NR_rt_sigprocmask, SIG_SETMASK, old, 0, sizeof(*old));
}

long sys_waiting_signals(uint64_t *mask)
{
	return CALL2(__NR_rt_sigpending, mask, sizeof(*mask));
}

/* The kernel's struct sigaction starts with the handler, whatever the architecture. */
long sys_signal_is_default(int signal)
{
	unsigned long action[8] = {0};
	long result = CALL4(__NR_rt_sigaction, signal, 0, action, sizeof(uint64_t));

	return sys_failed(result) ? result : !action[0];
}

long sys_take_signal(int signal, siginfo_t *info)
{
	const struct __kernel_timespec now = {0, 0};
	uint64_t mask = 1ULL << (signal - 1);

	return CALL4(NR_rt_sigtimedwait, &mask, info, &now, sizeof(mask));
}

long sys_send_signal(int signal, siginfo_t *info)
{
	return CALL4(__NR_rt_tgsigqueueinfo, sys_getpid(), CALL0(__NR_gettid), signal, info);
}
