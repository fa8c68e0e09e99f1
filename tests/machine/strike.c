/*
 * strike.c - runs a program and has one system call of the preloaded library fail: strike FILE NTH
 * ERRNO LIBRARY COMMAND...
 *
 * The calls of the library are known by where they are made from, so the program's own, which go
 * through libc, are never hit. NTH 0: none; N: the nth that can fail; N+: that one, and all of its
 * kind from then on. FILE gets how many there were that can. What cannot fail in the kernel (a
 * clock, a signal mask, a seek within a file) is left out, and so is a transfer on a descriptor
 * without O_DIRECT: that one stands for the program's own. A close is done, and then has failed.
 * The status is the command's; 77 where it cannot be traced.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

static pid_t child;
static const char *library;
static uint64_t from, to; /* where it is mapped */
static unsigned long made, nth;
static bool stays;
static int error;
static uint64_t kind = UINT64_MAX; /* of the call that was hit */

/* Looks where the library is; it is not there at first, nor right after exec. */
static void find_library(void)
{
	char line[4400], path[64];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", child);
	maps = fopen(path, "r");
	from = to = 0;
	while (maps && fgets(line, sizeof(line), maps)) {
		uint64_t start, end;

		if (!strstr(line, library) || sscanf(line, "%lx-%lx", &start, &end) != 2)
			continue;
		from = from ? from : start;
		to = end;
	}
	if (maps)
		fclose(maps);
}

static bool is_direct(uint64_t fd)
{
	char line[200], path[64];
	unsigned flags = 0;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", child, (int)fd);
	info = fopen(path, "r");
	while (info && fgets(line, sizeof(line), info))
		sscanf(line, "flags: %o", &flags);
	if (info)
		fclose(info);
	return flags & O_DIRECT;
}

static bool can_fail(const struct __ptrace_syscall_info *info)
{
	switch (info->entry.nr) {
	case SYS_getpid:
	case SYS_gettid:
	case SYS_geteuid:
	case SYS_clock_gettime:
	case SYS_clock_nanosleep:
	case SYS_nanosleep:
	case SYS_rt_sigprocmask:
	case SYS_rt_sigpending:
	case SYS_rt_sigtimedwait:
	case SYS_rt_tgsigqueueinfo:
	case SYS_exit:
	case SYS_exit_group:
		return false;
	case SYS_lseek:
		return info->entry.args[2] > SEEK_END;
	case SYS_fcntl:
		return info->entry.args[1] != F_GETFL;
	case SYS_pread64:
	case SYS_pwrite64:
	case SYS_preadv2:
	case SYS_pwritev2:
		return is_direct(info->entry.args[0]);
	default:
		return true;
	}
}

/* Whether the call that is entered is to fail. */
static bool is_hit(const struct __ptrace_syscall_info *info)
{
	bool inside = info->instruction_pointer >= from && info->instruction_pointer < to;

	if (!inside || !can_fail(info))
		return false;
	if (++made == nth)
		kind = info->entry.nr;
	return made == nth || (stays && made > nth && info->entry.nr == kind);
}

/* The call becomes none, but for a close, which frees its number whatever it returns. */
static void enter(void)
{
	struct user_regs_struct registers;

	ptrace(PTRACE_GETREGS, child, NULL, &registers);
	if (registers.orig_rax == SYS_close)
		return;
	registers.orig_rax = (uint64_t)-1;
	ptrace(PTRACE_SETREGS, child, NULL, &registers);
}

static void leave(void)
{
	struct user_regs_struct registers;

	ptrace(PTRACE_GETREGS, child, NULL, &registers);
	registers.rax = (uint64_t)-error;
	ptrace(PTRACE_SETREGS, child, NULL, &registers);
}

static void at_call(void)
{
	static bool hit;
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_EXIT && hit) {
		leave();
		hit = false;
	}
	if (info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	if (!from)
		find_library();
	hit = is_hit(&info);
	if (hit)
		enter();
}

/* Follows the child to its end; returns how it ended. */
static int follow(void)
{
	int status, signal = 0;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, child, NULL, (void *)(uintptr_t)signal) < 0 ||
		    waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
			return status;
		signal = WSTOPSIG(status);
		if (signal == (SIGTRAP | 0x80))
			at_call();
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			from = to = 0;
		if (signal == (SIGTRAP | 0x80) || signal == SIGTRAP)
			signal = 0;
	}
}

static bool start(char **command)
{
	int status;

	child = fork();
	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(77);
		raise(SIGSTOP);
		execvp(command[0], command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return false;
	return !ptrace(PTRACE_SETOPTIONS, child, NULL,
		       (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC));
}

int main(int argc, char **argv)
{
	FILE *counted;
	int status;

	if (argc < 6) {
		fprintf(stderr, "usage: strike FILE NTH[+] ERRNO LIBRARY COMMAND...\n");
		return 2;
	}
	nth = strtoul(argv[2], NULL, 10);
	stays = strchr(argv[2], '+');
	error = atoi(argv[3]);
	library = argv[4];
	if (!start(argv + 5))
		return 77;
	status = follow();
	counted = fopen(argv[1], "w");
	if (!counted || fprintf(counted, "%lu\n", made) < 0 || fclose(counted))
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#else

int main(void)
{
	fprintf(stderr, "strike: only on x86-64\n");
	return 77;
}

#endif
