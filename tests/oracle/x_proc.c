/* x_proc.c - children that share descriptors, and locks that only others can see. */
#include "run.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>

static void join(int pid)
{
	int status = 0;

	raw_wait(pid, &status);
	say("joined status=%x", status);
}

/* A child performs the next a[1] operations; a[4] 1: ends by exit, which flushes its streams. */
void do_fork(const struct op *op)
{
	size_t count = op->a[1];
	int pid;

	say("\n");
	pid = fork();
	if (pid == 0) {
		in_child = in_child ? in_child : FORKED;
		run(run_next(), run_next() + count);
		if (op->a[4])
			exit(count);
		_exit(count);
	}
	join(pid);
	run_skip(count);
}

enum { EXECV, EXECVE, EXECL, EXECLE, EXECVP, EXECLP, EXECVPE, FEXECVE, SPAWN };
enum { ENVIRONMENT = 200 };

/* The environment and one variable more. */
static char **environment(void)
{
	static char *all[ENVIRONMENT];
	int n = 0;

	all[n++] = "ORACLE_MARK=a word";
	for (char **each = environ; *each && n < ENVIRONMENT - 1; each++)
		all[n++] = *each;
	return all;
}

static void spawn(const char *path, char *const *argv)
{
	pid_t pid;
	int status = posix_spawn(&pid, path, NULL, NULL, argv, environment());

	if (status == 0)
		raw_wait(pid, &status);
	_exit(status);
}

static void exec_by(int how, const char *path, char *const *v)
{
#define LIST                                                                                       \
	v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13],    \
		v[14], v[15], v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23]
	_Static_assert(EXEC_ARGUMENTS == 24, "as many as LIST has");

	switch (how) {
	case EXECVE:
		execve(path, v, environment());
		break;
	case EXECL:
		execl(path, LIST, NULL);
		break;
	case EXECLE:
		execle(path, LIST, NULL, environment());
		break;
	case EXECVP:
		execvp(path, v);
		break;
	case EXECLP:
		execlp(path, LIST, NULL);
		break;
	case EXECVPE:
		execvpe(path, v, environment());
		break;
	case FEXECVE:
		fexecve(raw_open(path, O_RDONLY | O_CLOEXEC, 0), v, environment());
		break;
	case SPAWN:
		spawn(path, v);
		break;
	default:
		execv(path, v);
	}
#undef LIST
}

/* The same in a new program that knows only the descriptors; a[2]: by which call. Not by
 * /proc/self/exe: under qemu that is what only qemu can run (tests/arch/emulate.c). */
void do_exec(const struct op *op)
{
	size_t from = run_next(), to = from + op->a[1];
	int pid;

	say("\n");
	pid = fork();
	if (pid == 0) {
		char *const *v = exec_arguments(from, to < run_end() ? to : run_end());

		exec_by(op->a[2], v[0], v);
		_exit(99);
	}
	join(pid);
	run_skip(op->a[1]);
}

/* What a vfork child closes is not closed in its parent. */
void do_vfork(const struct op *op)
{
	int fd = fd_of(op->a[0]);
	pid_t pid = vfork();

	if (pid == 0) {
		close(fd);
		_exit(0);
	}
	join(pid);
	say_slot(op->a[0]);
}

static int lock_by_lockf(int fd, int type, long long len)
{
	return lockf(fd, type == F_UNLCK ? F_ULOCK : F_TLOCK, len);
}

/* a[1] 0: fcntl, 1: lockf, 2: an open file description lock; a[4]: the type. */
void do_lock(const struct op *op)
{
	struct flock lock = {
		.l_type = op->a[4], .l_whence = SEEK_SET, .l_start = op->a[2], .l_len = op->a[3]};
	int fd = fd_of(op->a[0]);

	locks_used |= op->a[1] != 2;
	if (op->a[1] == 1)
		say_result(lock_by_lockf(fd, op->a[4], op->a[3]));
	else
		say_result(fcntl(fd, op->a[1] == 2 ? F_OFD_SETLK : F_SETLK, &lock));
	say_slot(op->a[0]);
}

int locked_by_others(int fd)
{
	struct flock64 lock = {.l_type = F_WRLCK};

	return raw_fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* The locks that stand in the way of a write lock, seen from another process. */
static void say_locks(int fd)
{
	long long start = 0;

	for (int i = 0; i < 5; i++) {
		struct flock64 lock = {.l_type = F_WRLCK, .l_start = start};

#ifdef SYS_fcntl64
		int ret = raw_fcntl(fd, F_GETLK64, &lock);
#else
		int ret = raw_fcntl(fd, F_GETLK, &lock);
#endif
		if (ret < 0 || lock.l_type == F_UNLCK)
			break;
		say(" lock=%d:%lld+%lld", lock.l_type, (long long)lock.l_start,
		    (long long)lock.l_len);
		if (lock.l_len == 0)
			break;
		start = lock.l_start + lock.l_len;
	}
}

void do_lockcheck(const struct op *op)
{
	int pid = raw_fork();

	if (pid == 0) {
		say_locks(fd_of(op->a[0]));
		raw_exit(0);
	}
	join(pid);
}
