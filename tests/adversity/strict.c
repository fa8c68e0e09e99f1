/* strict.c - a process that streams enters strict mode (seccomp(2)) in the middle: read, write and
 * exit are all the system calls that it may make from then on, and its bytes go on as they did. */
#include "adversity.h"

#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>

enum { MOST = MIB };

static unsigned char buffer[MOST];
static int in, out, both;
static FILE *stream;

static int by_prctl(void)
{
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}

static int by_prctl_call(void)
{
	return (int)syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
}

static int by_seccomp_call(void)
{
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
}

/* How it enters, how much each call moves, how much is moved before and after, and whether the
 * parent opened it. */
static const struct way {
	const char *name;
	int (*enter)(void);
	size_t block, span;
	int inherited;
} ways[] = {
	{"large", by_prctl, MIB, SIZE / 2, 0},
	{"odd", by_prctl_call, 99999, SIZE / 2, 0},
	{"pages", by_seccomp_call, 4096, MIB, 0},
	{"small", by_prctl, 100, 150000, 0},
	{"small, by seccomp(2)", by_seccomp_call, 100, 150000, 0},
	{"inherited", by_prctl, 128 * 1024, 2 * MIB, 1},
	{"small, inherited", by_seccomp_call, 100, 150000, 1},
};

/* From all that is open to all that is open: the bytes from `at` on. */
static void copy(uint64_t at, size_t len, size_t block)
{
	for (size_t n; len; at += n, len -= n) {
		n = block < len ? block : len;
		must(read(in, buffer, n) == (ssize_t)n, "read");
		must_match(buffer, n, at);
		must(write(out, buffer, n) == (ssize_t)n, "write");
		must(fread(buffer, 1, n, stream) == n, "fread");
		must_match(buffer, n, at);
		must(write(both, buffer, n) == (ssize_t)n, "write");
	}
}

/* What stdio reads for the first time it makes its buffer for, and asks of its file. */
static void open_all(void)
{
	in = open_src();
	out = create("dst.only");
	both = create("dst.both");
	must((stream = fopen("src", "r")) != NULL, "fopen");
	must(ungetc(fgetc(stream), stream) != EOF, "stdio");
}

static void enter(const struct way *way)
{
	if (way->enter() != 0)
		cannot("strict mode cannot be had");
}

/* What it says where it fails gets out, and it is killed for its status. */
static void in_child(const struct way *way)
{
	if (!way->inherited)
		open_all();
	copy(0, way->span, way->block);
	enter(way);
	copy(way->span, way->span, way->block);
	must(read(both, buffer, 1) == 0, "read at the end of what was written");
	syscall(SYS_exit, 0);
}

/* Where the descriptions are the parent's, too, it finds them where the child left them. */
static void take_over(off_t at)
{
	must(lseek(in, 0, SEEK_CUR) == at, "offset");
	must(lseek(out, 0, SEEK_CUR) == at, "offset");
	must(lseek(both, 0, SEEK_CUR) == at, "offset");
	must_close(in);
	must_close(out);
	must_close(both);
	fclose(stream);
}

static void must_be_there(size_t len)
{
	must_hold("dst.only", len);
	must_hold("dst.both", len);
}

static void try(const struct way *way)
{
	int status;
	pid_t pid;

	if (way->inherited)
		open_all();
	pid = fork();
	must(pid >= 0, "fork");
	if (pid == 0)
		in_child(way);
	must(waitpid(pid, &status, 0) == pid, "waitpid");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		_exit(77);
	if (status)
		dprintf(2, "%s: status %#x; ", way->name, status);
	must(status == 0, "killed");
	if (way->inherited)
		take_over(2 * way->span);
	must_be_there(2 * way->span);
}

static void *locked_in(void *way)
{
	enter(way);
	copy(0, SIZE, MIB);
	syscall(SYS_exit, 0);
	return NULL;
}

/* The mode is a thread's: others go on as they like meanwhile, and end the process. */
static void beside_a_thread(void)
{
	struct way way = ways[0];
	pthread_t thread;

	open_all();
	must(pthread_create(&thread, NULL, locked_in, &way) == 0, "pthread_create");
	move_all("dst.beside");
	must(pthread_join(thread, NULL) == 0, "pthread_join");
	take_over(SIZE);
	must_be_there(SIZE);
}

int main(void)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		try(&ways[i]);
	beside_a_thread();
	return 0;
}
