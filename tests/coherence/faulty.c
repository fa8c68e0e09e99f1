/* faulty.c - a preload library that serves sequential reads from memory that it filled ahead, and
 * fails to see, as COHERENCE_FAULT says, that the bytes there are no longer the file's.
 *
 *   right    sees everything: the change time is taken, then a lease says that nobody has the file
 *            open for writing, then the memory is filled by O_DIRECT
 *   blind    looks at nothing
 *   size     looks at the size only
 *   change   looks at the change time, and never asks for the lease
 *   once     asks for the lease when it fills for the first time, and never again
 *   order    asks for the lease first and takes the change time a little later
 *
 * The last three fill from the page cache: a direct fill cleans and write-protects mapped pages, so
 * that the next store moves the change time, and hides most of the fault.
 *
 * At the end COHERENCE_SERVED, a file, has a line with the bytes that came from memory. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AHEAD = 4 << 20, TWIN = 900 };

static const char *fault = "right";
static unsigned char *memory;
static struct stat seen;
static off_t start, next;
static ssize_t filled;
static unsigned long served;
static int asked;

static int is(const char *name)
{
	return strcmp(fault, name) == 0;
}

__attribute__((constructor)) static void begin(void)
{
	void *p = mmap(NULL, AHEAD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memory = p == MAP_FAILED ? NULL : p;
	if (getenv("COHERENCE_FAULT"))
		fault = getenv("COHERENCE_FAULT");
}

/* The programs here end by _exit. */
void _exit(int status)
{
	const char *path = getenv("COHERENCE_SERVED");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

	if (fd >= 0)
		dprintf(fd, "%lu\n", served);
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

/* The descriptor of the O_DIRECT description, which is closed first where it is another file's. */
static int twin(int fd, const struct stat *now)
{
	char path[64];
	struct stat st;
	int opened;

	if (fstat(TWIN, &st) == 0 && st.st_ino == now->st_ino && st.st_dev == now->st_dev)
		return TWIN;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	opened = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (opened < 0 || dup3(opened, TWIN, O_CLOEXEC) < 0)
		return -1;
	close(opened);
	return TWIN;
}

/* True where nobody has the file open for writing. */
static int nobody_writes(int fd)
{
	if (is("blind") || is("size") || is("change") || (is("once") && asked))
		return 1;
	asked = 1;
	/* A writer that comes just now must not kill us; giving a lease back resets the signal. */
	fcntl(fd, F_SETSIG, SIGURG);
	if (fcntl(fd, F_SETLEASE, F_RDLCK) != 0)
		return 0;
	fcntl(fd, F_SETLEASE, F_UNLCK);
	return 1;
}

static int buffered(void)
{
	return is("change") || is("once") || is("order");
}

static int same(const struct stat *now)
{
	if (is("blind"))
		return now->st_ino == seen.st_ino;
	if (now->st_ino != seen.st_ino || now->st_size != seen.st_size)
		return 0;
	return is("size") || (now->st_ctim.tv_sec == seen.st_ctim.tv_sec &&
			      now->st_ctim.tv_nsec == seen.st_ctim.tv_nsec);
}

static void fill(int fd, off_t at, const struct stat *now)
{
	int direct = twin(fd, now), allowed;

	filled = 0;
	allowed = direct >= 0 && nobody_writes(direct);
	if (is("order")) {
		usleep(2000);
		fstat(fd, &seen);
	} else {
		seen = *now;
	}
	if (allowed && at % 4096 == 0)
		filled = syscall(SYS_pread64, buffered() ? fd : direct, memory, AHEAD, at);
	start = at;
}

static int holds(off_t at, size_t len)
{
	return filled > 0 && at >= start && at + (off_t)len <= start + filled;
}

ssize_t read(int fd, void *p, size_t len)
{
	struct stat now;
	off_t at = lseek(fd, 0, SEEK_CUR);
	int in_turn = at == next;

	if (!memory || at < 0 || fstat(fd, &now) || !S_ISREG(now.st_mode) || len > AHEAD)
		return syscall(SYS_read, fd, p, len);
	next = at + len;
	if (in_turn && (!holds(at, len) || !same(&now)))
		fill(fd, at, &now);
	if (!in_turn || !holds(at, len) || (fstat(fd, &now), !same(&now)))
		return syscall(SYS_read, fd, p, len);
	memcpy(p, memory + (at - start), len);
	served += len;
	lseek(fd, len, SEEK_CUR);
	return len;
}
