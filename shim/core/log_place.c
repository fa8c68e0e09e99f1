/* log_place.c - opening the log and writing lines to it. */
#include "log_place.h"

#include "file.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>

enum { STDERR = 2 };

/* Our duplicate's number: beyond what programs use, and below the usual limit of 1024. */
enum { SPARE_MOST = 1000, SPARE_LEAST = 200 };

static struct {
	bool set;
	bool is_stderr;
	bool too_long;
	char path[LOG_PLACE_ROOM];
	uint64_t stderr_dev, stderr_ino;
	int spare; /* our own duplicate of standard error, or < 0 */
} place;

static void remember_stderr(void)
{
	struct statx st;

	if (sys_failed(sys_stat(STDERR, &st)))
		return;
	place.stderr_dev = file_dev(&st);
	place.stderr_ino = st.stx_ino;
}

/* Programs close standard error before they exit (close_stdout of gnulib), records come after. */
static void keep_stderr(void)
{
	long spare = sys_duplicate(STDERR, SPARE_MOST);

	if (sys_failed(spare))
		spare = sys_duplicate(STDERR, SPARE_LEAST);
	place.spare = (int)spare;
}

/* The program may have closed standard error and opened a file of its own there. */
static bool is_stderr(int fd)
{
	const struct file like = {.dev = place.stderr_dev, .ino = place.stderr_ino};
	struct statx st;

	return place.stderr_ino && fd >= 0 && file_confirm(&like, fd, &st);
}

/* Where standard error as it was at the start can be had, or < 0. */
static long find_stderr(void)
{
	return is_stderr(STDERR) ? STDERR : is_stderr(place.spare) ? place.spare : -1;
}

static void make_path(const char *destination, const char *directory)
{
	struct text path = text_over(place.path, sizeof(place.path));

	if (destination[0] != '/' && directory) {
		text_string(&path, directory);
		text_byte(&path, '/');
	}
	text_string(&path, destination);
	text_end(&path);
	place.too_long = path.cut;
}

void log_place_begin(const char *destination, const char *directory)
{
	remember_stderr();
	place.set = destination && *destination;
	if (!place.set)
		return;
	place.is_stderr = text_equal(destination, "stderr");
	if (place.is_stderr)
		keep_stderr();
	else
		make_path(destination, directory);
}

bool log_place_is_set(void)
{
	return place.set;
}

/* The path with `%p` replaced, or NULL where it is too long. */
static const char *expanded(char *memory)
{
	struct text path = text_over(memory, LOG_PLACE_ROOM);

	for (const char *s = place.path; *s; s++) {
		if (s[0] == '%' && s[1] == 'p') {
			text_signed(&path, sys_getpid());
			s++;
		} else {
			text_byte(&path, *s);
		}
	}
	text_end(&path);
	return path.cut || place.too_long ? NULL : memory;
}

static long open_path(char *scratch)
{
	const char *path = expanded(scratch);

	if (!path)
		return -ENAMETOOLONG;
	return sys_openat(AT_FDCWD, path,
			  O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY |
				  O_NONBLOCK | O_LARGEFILE,
			  0600);
}

long log_place_try(char *scratch)
{
	long fd = place.is_stderr ? 0 : open_path(scratch);

	return place.is_stderr || sys_failed(fd) ? fd : sys_close((int)fd);
}

/* What the kernel sends with an error of write(2), signal(7); or 0. */
static int signal_of(long error)
{
	return error == -EPIPE ? SIGPIPE : error == -EFBIG ? SIGXFSZ : 0;
}

/* A signal that the program holds back, and that waits already, is the program's: it stays. */
static long write_unheard(int fd, const struct text *line)
{
	uint64_t held, waiting = 0;
	siginfo_t info;
	int signal;
	long n;

	if (sys_failed(sys_block_signals(&held)))
		return -EPERM;
	sys_waiting_signals(&waiting);
	n = sys_write(fd, line->start, text_length(line));
	signal = signal_of(n);
	if (signal && !(waiting >> (signal - 1) & 1))
		sys_take_signal(signal, &info);
	sys_restore_signals(&held);
	return n;
}

/* The next record would go on where a part of one ends. What came in after it stays. */
static void take_back(int fd, long part)
{
	int64_t end = sys_position(fd);
	struct statx st;

	if (end >= part && !sys_failed(sys_stat(fd, &st)) && (int64_t)st.stx_size == end)
		sys_truncate(fd, end - part);
}

void log_place_write(const struct text *line, char *scratch)
{
	long fd = place.is_stderr ? find_stderr() : open_path(scratch), n;

	if (sys_failed(fd))
		return;
	n = write_unheard((int)fd, line);
	if (place.is_stderr)
		return;
	if (n > 0 && (size_t)n < text_length(line))
		take_back((int)fd, n);
	sys_close((int)fd);
}

void log_place_complain(const struct text *line)
{
	if (is_stderr(STDERR))
		write_unheard(STDERR, line);
}
