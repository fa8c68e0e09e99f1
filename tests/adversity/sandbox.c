/* sandbox.c - a process that streams locks itself in, with a filter that kills: each call then
 * makes the system calls that it makes without the library, and no other. */
#include "adversity.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { MOST = 12, LEN = 3 * MIB };

static unsigned char buffer[LEN];
static struct iovec iov = {buffer, LEN};
static struct stat st;
static struct statx stx;
static struct flock lock = {.l_type = F_WRLCK};
static struct rlimit limit;
static int in, out, spare, ends[2], sockets[2];
static FILE *stream;
static void *view;

static void send_something(void)
{
	struct iovec one = {buffer, 1};
	struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1};

	must(sendmsg(sockets[0], &message, 0) == 1, "sendmsg");
}

/* Hidden numbers are among them. */
static void close_numbers(void)
{
	for (int fd = 800; fd < 1100; fd++)
		must(close(fd) == -1 && errno == EBADF, "a number that was never open");
}

static void copy_stream(void)
{
	char line[100];

	must(fread(line, 1, sizeof line, stream) == sizeof line && fclose(stream) == 0, "stdio");
}

#define RUN(name, call, ...) X(name, must((call) >= 0, #call), __VA_ARGS__)
#define CALLS                                                                                      \
	RUN(read, read(in, buffer, LEN), SYS_read)                                                 \
	RUN(read_small, read(in, buffer, 100), SYS_read)                                           \
	RUN(write, write(out, buffer, LEN), SYS_write)                                             \
	RUN(pread, pread(in, buffer, LEN, 0), SYS_pread64)                                         \
	RUN(pwrite, pwrite(out, buffer, LEN, 0), SYS_pwrite64)                                     \
	RUN(readv, readv(in, &iov, 1), SYS_readv)                                                  \
	RUN(writev, writev(out, &iov, 1), SYS_writev)                                              \
	RUN(preadv2, preadv2(in, &iov, 1, 0, 0), SYS_preadv, SYS_preadv2)                          \
	RUN(lseek, lseek(in, 0, SEEK_SET), SYS_lseek)                                              \
	RUN(dup, dup(in), SYS_dup)                                                                 \
	RUN(dup2, dup2(in, spare), SYS_dup2)                                                       \
	RUN(dup2_high, dup2(in, 905), SYS_dup2)                                                    \
	RUN(dup3, dup3(in, out, 0), SYS_dup3)                                                      \
	RUN(close, close(in) + close(out), SYS_close)                                              \
	X(close_numbers, close_numbers(), SYS_close)                                               \
	RUN(close_range, close_range(3, 2000, 0), SYS_close_range)                                 \
	X(closefrom, closefrom(3), SYS_close_range)                                                \
	RUN(flags, fcntl(in, F_GETFL), SYS_fcntl)                                                  \
	RUN(lock, fcntl(out, F_SETLK, &lock), SYS_fcntl)                                           \
	RUN(lockf, lockf(out, F_LOCK, 1), SYS_fcntl)                                               \
	RUN(flock, flock(out, LOCK_EX), SYS_flock)                                                 \
	RUN(ftruncate, ftruncate(out, 1000), SYS_ftruncate)                                        \
	RUN(truncate, truncate("dst", 1000), SYS_truncate)                                         \
	X(fallocate, (void)!fallocate(out, 0, 0, LEN), SYS_fallocate)                              \
	RUN(fsync, fsync(out), SYS_fsync)                                                          \
	RUN(fdatasync, fdatasync(out), SYS_fdatasync)                                              \
	RUN(write_out, sync_file_range(out, 0, 0, 2), SYS_sync_file_range)                         \
	RUN(advise, posix_fadvise(in, 0, 0, POSIX_FADV_NORMAL), SYS_fadvise64)                     \
	RUN(readahead, readahead(in, 0, 4096), SYS_readahead)                                      \
	X(mmap, mmap(NULL, LEN, PROT_READ, MAP_SHARED, in, 0), SYS_mmap)                           \
	RUN(munmap, munmap(view, LEN), SYS_munmap)                                                 \
	RUN(mprotect, mprotect(view, LEN, PROT_NONE), SYS_mprotect)                                \
	RUN(copy, copy_file_range(in, NULL, out, NULL, LEN, 0), SYS_copy_file_range)               \
	RUN(sendfile, sendfile(out, in, NULL, LEN), SYS_sendfile)                                  \
	RUN(splice, splice(in, NULL, ends[1], NULL, 4096, 0), SYS_splice)                          \
	RUN(open, open("src", O_RDONLY), SYS_openat, SYS_open)                                     \
	RUN(create, open("new", O_WRONLY | O_CREAT, ANY_MODE), SYS_openat, SYS_open)               \
	RUN(creat, creat("new", ANY_MODE), SYS_creat, SYS_openat, SYS_open)                        \
	RUN(rename, rename("dst", "new"), SYS_rename)                                              \
	RUN(fstat, fstat(in, &st), SYS_fstat, SYS_newfstatat)                                      \
	RUN(stat, stat("src", &st), SYS_stat, SYS_newfstatat)                                      \
	RUN(statx, statx(in, "", AT_EMPTY_PATH, STATX_SIZE, &stx), SYS_statx)                      \
	RUN(chmod, fchmod(out, ANY_MODE), SYS_fchmod)                                              \
	RUN(times, futimens(out, NULL), SYS_utimensat)                                             \
	RUN(ioctl, ioctl(in, FIONREAD, &spare), SYS_ioctl)                                         \
	RUN(setrlimit, setrlimit(RLIMIT_CORE, &limit), SYS_prlimit64, SYS_setrlimit)               \
	RUN(syscall, syscall(SYS_read, in, buffer, LEN), SYS_read)                                 \
	X(sendmsg, send_something(), SYS_sendmsg)                                                  \
	X(stdio, copy_stream(), SYS_read, SYS_lseek, SYS_close, SYS_munmap)                        \
	X(exit, exit(0), SYS_lseek)

static const struct call {
	const char *name;
	int allowed[MOST];
} calls[] = {
#define X(name, call, ...) {#name, {__VA_ARGS__}},
	CALLS
#undef X
};

static void run(int i)
{
	int n = 0;
#define X(name, call, ...)                                                                         \
	if (n++ == i)                                                                              \
		call;
	CALLS
#undef X
}

static int install(int by_prctl, const struct sock_fprog *program)
{
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "PR_SET_NO_NEW_PRIVS");
	return by_prctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program)
			: (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program);
}

/* From here on only the system calls of the list, and exit_group. */
static void lock_in(const int *allowed, int by_prctl)
{
	struct sock_filter filter[2 * MOST + 4];
	struct sock_fprog program = {0, filter};
	unsigned n = 0;

	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   offsetof(struct seccomp_data, nr));
	for (int i = 0; i < MOST; i++) {
		int number = i == MOST - 1 ? SYS_exit_group : allowed[i];

		if (!number && i && i < MOST - 1)
			continue;
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
		filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	program.len = n;
	if (install(by_prctl, &program))
		cannot("no filter can be had");
}

/* In a child: streams by large and by small calls that are under way when it locks itself in. */
static void begin(void)
{
	in = open_src();
	out = create("dst");
	must((spare = dup(0)) >= 0 && pipe(ends) == 0, "descriptors");
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "socketpair");
	must((stream = fopen("src", "r")) && fgetc(stream) >= 0, "fopen");
	view = mmap(NULL, LEN, PROT_READ, MAP_SHARED, spare = open_src(), 0);
	must(write(out, buffer, LEN) == LEN && read(in, buffer, LEN) == LEN, "stream");
	for (int i = 0; i < 40; i++)
		must(write(out, buffer, 100) == 100 && read(in, buffer, 100) == 100, "stream");
}

static void try(int i)
{
	pid_t pid = fork();
	int status;

	must(pid >= 0, "fork");
	if (pid == 0) {
		begin();
		lock_in(calls[i].allowed, i % 2);
		run(i);
		syscall(SYS_exit_group, 0);
	}
	must(waitpid(pid, &status, 0) == pid, "waitpid");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		_exit(77);
	if (status)
		dprintf(2, "%s: status %#x; ", calls[i].name, status);
	must(status == 0, "killed");
}

int main(void)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		try(i);
	unlink("dst");
	unlink("new");
	return 0;
}
