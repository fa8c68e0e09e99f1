/* trace.c - what the operations came to, one line each. */
#include "run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct trace {
	size_t used;
	size_t room;
	char text[];
};

enum { CHUNK = 1 << 20 };

static struct trace *trace;
static char *scratch;
static volatile sig_atomic_t signals, signals_said;

void trace_open(const char *path, size_t room, int fresh)
{
	int fd = raw_open(path, O_RDWR | O_CREAT | (fresh ? O_TRUNC : 0), 0600);

	if (fd < 0 || raw_lseek(fd, room - 1, SEEK_SET) < 0 ||
	    (fresh && raw_call(SYS_write, fd, (long)"", 1, 0, 0, 0) != 1))
		abort();
	trace = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	raw_close(fd);
	scratch = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (trace == MAP_FAILED || scratch == MAP_FAILED)
		abort();
	trace->room = room - sizeof(*trace);
}

void say(const char *format, ...)
{
	size_t left = trace->room - trace->used;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(trace->text + trace->used, left, format, args);
	va_end(args);
	if (len > 0 && (size_t)len < left)
		trace->used += len;
}

void quiet(void)
{
	errno = QUIET;
}

static void count_signal(int number)
{
	(void)number;
	signals++;
}

void watch_signals(void)
{
	struct sigaction action = {.sa_handler = count_signal};

	sigaction(SIGXFSZ, &action, NULL);
}

void say_result(long long ret)
{
	int error = errno;

	if (error == QUIET)
		say(" %lld", ret);
	else
		say(" %lld errno=%d", ret, error);
	if (signals != signals_said)
		say(" xfsz=%d", (int)(signals - signals_said));
	signals_said = signals;
}

enum { SELDOM = 8 };

static const char *error_text(int fd)
{
	return fd < 0 ? "bad" : "closed";
}

/* A new program cannot know what an O_DIRECT that was only pretended was asked for. */
static int seen_direct(int flags)
{
	if (direct_is != DIRECT_STRICT && in_child == EXECED)
		return flags & ~O_DIRECT;
	return direct_is == DIRECT_FAKED ? flags | O_DIRECT : flags;
}

void settle(void)
{
	struct stat st;

	if (say_seldom)
		stat("/", &st);
}

void say_descriptor(int fd, int direct)
{
	struct statx stx;
	int raw = raw_fcntl(fd, F_GETFL, NULL), seen;

	if (say_seldom && run_next() % SELDOM)
		return;
	settle();
	if (raw < 0 || raw_stat(fd, &stx) < 0) {
		say(" fd=%d %s", fd, error_text(fd));
		return;
	}
	seen = direct ? seen_direct(fcntl(fd, F_GETFL)) : fcntl(fd, F_GETFL);
	if (direct)
		raw &= ~O_DIRECT;
	say(" fd=%d at=%lld size=%lld mode=%o links=%u flags=%o raw=%o fdflags=%d", fd,
	    raw_lseek(fd, 0, SEEK_CUR), (long long)stx.stx_size, stx.stx_mode, stx.stx_nlink, seen,
	    raw, raw_fcntl(fd, F_GETFD, NULL));
}

void say_slot(long long slot)
{
	struct slot *s = slot_of(slot);

	say_descriptor(fd_of(slot), asked_direct(s));
	if (s && s->fp)
		say(" eof=%d error=%d", !!feof(s->fp), !!ferror(s->fp));
}

static void say_data(int fd, long long size)
{
	long long data = 0, hole;

	while (data < size && (data = raw_lseek(fd, data, SEEK_DATA)) >= 0) {
		hole = raw_lseek(fd, data, SEEK_HOLE);
		say(" data=%lld-%lld", data, hole);
		data = hole;
	}
}

void say_contents(int fd)
{
	unsigned long long sum = 0;
	long long at = 0;
	long got;

	settle();
	while ((got = raw_pread(fd, scratch, CHUNK, at)) > 0) {
		sum = sum * 31 + buf_sum(scratch, got);
		at += got;
	}
	say(" read=%lld end=%ld contents=%llx", at, got, sum);
}

static void say_file(int file)
{
	struct statx stx = {0};
	int fd;

	settle();
	fd = raw_open(file_path(file, 0), O_RDONLY, 0);

	if (fd < 0) {
		say("f%d %d\n", file, fd);
		return;
	}
	raw_stat(fd, &stx);
	say("f%d size=%lld mode=%o links=%u", file, (long long)stx.stx_size, stx.stx_mode,
	    stx.stx_nlink);
	say_contents(fd);
	if (say_holes)
		say_data(fd, stx.stx_size);
	say("\n");
	raw_close(fd);
}

void say_files(void)
{
	for (int file = 0; file < FILES; file++)
		say_file(file);
}
