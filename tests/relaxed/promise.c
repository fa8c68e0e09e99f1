/*
 * promise.c - tiny requests are held back, and settled by the time that ACTION returns: promise
 * {w|r} ACTION. Those by which the program ends are looked at by the suite.
 */
#include "relaxed.h"

#include <aio.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

static const char *path;
static int fd, writes;
static long long done = TINY * TIMES;
static char **self;

/* What others see now is what the program did. */
static void look(void)
{
	if (writes)
		must_be_there(fd, done);
	must(raw_offset(fd) == done, "the kernel's offset is not the program's");
}

static void look_and_end(void)
{
	look();
	raw_exit(0);
}

static void wait_for(int pid)
{
	int status;

	must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0,
	     "the child saw it otherwise");
}

/* Afterwards nothing is held back any more: the child has the descriptor, too. */
static void forked(int pid)
{
	if (pid == 0)
		look_and_end();
	wait_for(pid);
	write_tiny(fd, done, writes ? done + TINY * 5 : 0, TINY);
	done += writes ? TINY * 5 : 0;
}

/* A child that shares descriptors and memory; what is held back is there as well as in the parent.
 */
static void vforked(void)
{
	int pid = vfork();

	if (pid == 0)
		_exit(0);
	wait_for(pid);
	must(lseek(fd, 0, SEEK_CUR) == done, "the offset after vfork");
}

static char **again(void)
{
	static char number[16], size[32];
	static char *arguments[6];

	snprintf(number, sizeof(number), "%d", fd);
	snprintf(size, sizeof(size), "%lld", done);
	arguments[0] = self[0];
	arguments[1] = "look";
	arguments[2] = writes ? "w" : "r";
	arguments[3] = number;
	arguments[4] = size;
	return arguments;
}

static void vfork_executed(void)
{
	char **arguments = again();
	int pid = vfork();

	if (pid == 0) {
		execv("/proc/self/exe", arguments);
		_exit(1);
	}
	wait_for(pid);
}

static void executed(void)
{
	execv("/proc/self/exe", again());
}

static void spawned(void)
{
	extern char **environ;
	pid_t pid;

	must(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, again(), environ) == 0, "spawn");
	wait_for(pid);
}

static void by_shell(int (*run)(const char *))
{
	char command[200];
	char **a = again();

	snprintf(command, sizeof(command), "%s %s %s %s %s", a[0], a[1], a[2], a[3], a[4]);
	must(run(command) == 0, "the shell's program saw it otherwise");
}

static int by_popen(const char *command)
{
	return pclose(popen(command, "r"));
}

static void mapped(void)
{
	unsigned char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	must(p != MAP_FAILED, "mmap");
	must_match(p, 4096, 0);
	write_tiny(fd, done, writes ? done + 1000 : 0, 10);
	done += writes ? 1000 : 0;
}

static void opened_again(int flags)
{
	int other = open(path, flags);

	must(other >= 0, "open");
	if (flags & O_TRUNC)
		done = 0, raw_lseek(fd, 0, SEEK_SET);
	else
		read_tiny(other, 0, done, 4096);
	raw_close(other);
}

/* The file is emptied by another call than open(2); what is written next comes at its start. */
static void emptied(int by)
{
	FILE *stream;

	if (by < 2) {
		raw_close(by ? creat64(path, ANY_MODE) : creat(path, ANY_MODE));
	} else {
		stream = by == 2 ? fopen(path, "w") : freopen(path, "w", tmpfile());
		must(stream != NULL && fclose(stream) == 0, "fopen");
	}
	done = 0, raw_lseek(fd, 0, SEEK_SET);
}

static void by_two(void)
{
	int other = open(path, O_RDONLY);
	long long at = done;

	must(other >= 0, "open");
	raw_lseek(other, at, SEEK_SET);
	for (int i = 0; i < 50; i++) {
		write_tiny(fd, done, done + TINY, TINY);
		done += TINY;
		read_tiny(other, done - TINY, done, TINY);
	}
}

static void sent(void)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = {0};
	struct iovec iov = {"x", 1};
	struct msghdr m = {.msg_iov = &iov,
			   .msg_iovlen = 1,
			   .msg_control = control.room,
			   .msg_controllen = sizeof(control.room)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	int pair[2];

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
	*c = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS,
			      .cmsg_len = CMSG_LEN(sizeof(int))};
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	must(sendmsg(pair[0], &m, 0) == 1, "sendmsg");
}

static void by_pipe(int (*move)(int, int))
{
	int pipes[2];
	char some[TINY];

	must(pipe(pipes) == 0, "pipe");
	if (writes)
		pattern_fill((void *)some, TINY, done);
	must(!writes || write(pipes[1], some, TINY) == TINY, "pipe");
	must(move(pipes[0], pipes[1]) == TINY, "moved");
	done += TINY;
}

static int spliced(int in, int out)
{
	return writes ? splice(in, NULL, fd, NULL, TINY, 0) : splice(fd, NULL, out, NULL, TINY, 0);
}

static int sent_file(int in, int out)
{
	return writes ? splice(in, NULL, fd, NULL, TINY, 0) : sendfile(out, fd, NULL, TINY);
}

static void by_vector(void)
{
	unsigned char some[TINY];
	struct iovec iov = {some, TINY};

	pattern_fill(some, TINY, done);
	must((writes ? writev(fd, &iov, 1) : readv(fd, &iov, 1)) == TINY, "vector");
	must_match(some, TINY, done);
	done += TINY;
}

static void positional(void)
{
	unsigned char some[TINY];

	must(pread(fd, some, TINY, 0) == TINY, "pread");
	must_match(some, TINY, 0);
	if (writes)
		must(pwrite(fd, some, TINY, 0) == TINY, "pwrite");
}

static void asynchronous(void)
{
	char some[TINY];
	struct aiocb a = {.aio_fildes = fd, .aio_buf = some, .aio_nbytes = TINY};
	const struct aiocb *list[] = {&a};

	must(aio_read(&a) == 0 && aio_suspend(list, 1, NULL) == 0, "aio");
	must(aio_return(&a) == TINY, "aio_return");
	must_match(some, TINY, 0);
}

static void as_stream(void)
{
	FILE *stream = fdopen(fd, writes ? "r+" : "r");
	unsigned char some[TINY];

	pattern_fill(some, TINY, done);
	setvbuf(stream, NULL, _IONBF, 0);
	must((writes ? fwrite(some, 1, TINY, stream) : fread(some, 1, TINY, stream)) == TINY,
	     "stdio");
	must_match(some, TINY, done);
	done += TINY;
}

static void truncated(int by_name)
{
	must((by_name ? truncate(path, 1000) : ftruncate(fd, 1000)) == 0, "truncate");
	must(raw_size(fd) == 1000 && raw_offset(fd) == done, "truncated");
	raw_lseek(fd, done = 1000, SEEK_SET);
}

static void is_size(long long size)
{
	must(size == (writes ? done : SIZE), "the size");
}

static void looked_at(int how)
{
	struct stat st;
	struct statx stx;

	if (how == 0)
		must(fstat(fd, &st) == 0, "fstat"), is_size(st.st_size);
	if (how == 1)
		must(stat(path, &st) == 0, "stat"), is_size(st.st_size);
	if (how == 2)
		must(statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &stx) == 0, "statx"),
			is_size(stx.stx_size);
	if (how == 3)
		must(fstatat(AT_FDCWD, path, &st, 0) == 0, "fstatat"), is_size(st.st_size);
	if (how == 4)
		must(lstat(path, &st) == 0, "lstat"), is_size(st.st_size);
	if (how == 5)
		must(syscall(SYS_fstat, fd, &st) == 0, "fstat"), is_size(st.st_size);
}

static void timed(int by_name)
{
	struct timespec times[2] = {{1, 0}, {2, 0}};
	struct statx st;

	must((by_name ? utimensat(AT_FDCWD, path, times, 0) : futimens(fd, times)) == 0, "times");
	look();
	must(raw_stat(fd, &st) == 0 && st.stx_mtime.tv_sec == 2, "the time was changed back");
}

static void privileged(void)
{
	struct statx st;

	must(fchmod(fd, 06755) == 0, "fchmod");
	look();
	must(raw_stat(fd, &st) == 0 && (st.stx_mode & 07777) == 06755, "the bits were cleared");
}

static void limited(void)
{
	struct rlimit limit = {1000, RLIM_INFINITY};

	must(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
	look();
	limit.rlim_cur = RLIM_INFINITY;
	must(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
}

static void duplicated(int copy)
{
	must(copy >= 0, "dup");
	look();
	if (writes)
		write_tiny(copy, done, done + TINY * 50, TINY);
	else
		read_tiny(copy, done, done + TINY * 50, TINY);
	done += TINY * 50;
	must(lseek(fd, 0, SEEK_CUR) == done, "the copy's offset is its own");
}

static void closed(int how)
{
	int other = raw_open(path, O_RDONLY, 0);

	if (how == 0)
		must(close(fd) == 0, "close");
	if (how == 1)
		must(close_range(fd, fd, 0) == 0, "close_range");
	if (how == 2)
		closefrom(fd);
	if (how == 3)
		must(dup2(2, fd) == fd, "dup2");
	if (how == 4)
		must(syscall(SYS_close, fd) == 0, "close");
	fd = how == 2 ? raw_open(path, O_RDONLY, 0) : other;
	raw_lseek(fd, done, SEEK_SET);
}

static void locked(int how)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

	if (how == 0)
		must(fcntl(fd, F_SETLK, &lock) == 0, "F_SETLK");
	if (how == 1)
		must(flock(fd, LOCK_SH) == 0, "flock");
	if (how == 2)
		must(lockf(fd, F_TEST, 0) == 0, "lockf");
}

/* In a sandbox nothing could be settled any more; this one is refused. */
static void sandboxed(void)
{
	must_fail(prctl(PR_SET_SECCOMP, 77, 0, 0, 0), EINVAL, "prctl");
}

static void quit(void)
{
	write_tiny(fd, done, done + TINY * 20, TINY);
}

/* The ways to end; bytes are written by a handler, too, while it ends. */
static void end(const char *action)
{
	if (!strcmp(action, "return"))
		return;
	atexit(quit);
	at_quick_exit(quit);
	if (!strcmp(action, "exit"))
		exit(0);
	if (!strcmp(action, "quick_exit"))
		quick_exit(0);
	if (!strcmp(action, "_exit"))
		_exit(0);
	if (!strcmp(action, "exit_syscall"))
		syscall(SYS_exit_group, 0);
	if (!strcmp(action, "abort"))
		abort();
	must(0, "no such action");
}

static void act(const char *action)
{
#define A(name, call)                                                                              \
	if (!strcmp(action, #name)) {                                                              \
		call;                                                                              \
		return;                                                                            \
	}
#define WRITES
#include "promise.def"
#undef WRITES
#undef A
	end(action);
}

int main(int argc, char **argv)
{
	self = argv;
	must(argc > 2, "usage: promise {w|r} ACTION");
	if (!strcmp(argv[1], "list")) {
#define A(name, call) puts(#name);
		if (argv[2][0] == 'w') {
#define WRITES
#include "promise.def"
#undef WRITES
		} else {
#include "promise.def"
		}
#undef A
		return 0;
	}
	if (!strcmp(argv[1], "look")) {
		writes = argv[2][0] == 'w';
		fd = atoi(argv[3]);
		done = atoll(argv[4]);
		look_and_end();
	}
	writes = argv[1][0] == 'w';
	path = writes ? "dst" : "src";
	fd = open(path, writes ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, ANY_MODE);
	must(fd >= 0, "open");
	if (writes)
		write_tiny(fd, 0, done, TINY);
	else
		read_tiny(fd, 0, done, TINY);
	if (is_relaxed())
		must(raw_offset(fd) < done && (!writes || raw_size(fd) < done),
		     "nothing is held back");
	act(argv[2]);
	if (strcmp(argv[2], "return"))
		look();
	return 0;
}
