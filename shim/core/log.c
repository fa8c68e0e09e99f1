/* log.c - composing and writing log records. */
#include "log.h"

#include "fdlink.h"
#include "fsinfo.h"
#include "pool.h"
#include "procfs.h"
#include "record.h"
#include "rules.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>

enum { PATH_ROOM = 4096, STDERR = 2 };

/* Our duplicate's number: beyond what programs use, and below the usual limit of 1024. */
enum { SPARE_MOST = 1000, SPARE_LEAST = 200 };

static struct {
	bool wanted;
	bool json;
	bool to_stderr;
	const char *prog;
	char path[PATH_ROOM];
	uint64_t stderr_dev, stderr_ino;
	int spare; /* our own duplicate of standard error, or < 0 */
	int64_t started, cached, swap_in, swap_out;
	_Atomic int64_t files;
	_Atomic uint64_t totals[COUNTERS];
} the;

static int64_t system_cached(void)
{
	return procfs_number("/proc/meminfo", "Cached") * 1024;
}

static int64_t swapped(const char *key)
{
	return procfs_number("/proc/vmstat", key) * PAGE;
}

static void first_figures(void)
{
	the.started = sys_steady_clock();
	the.cached = system_cached();
	the.swap_in = swapped("pswpin");
	the.swap_out = swapped("pswpout");
}

static void remember_stderr(void)
{
	struct statx st;

	if (sys_failed(sys_stat(STDERR, &st)))
		return;
	the.stderr_dev = file_dev(&st);
	the.stderr_ino = st.stx_ino;
}

/* Programs close standard error before they exit (close_stdout of gnulib), records come after. */
static void keep_stderr(void)
{
	long spare = sys_duplicate(STDERR, SPARE_MOST);

	if (sys_failed(spare))
		spare = sys_duplicate(STDERR, SPARE_LEAST);
	the.spare = (int)spare;
}

/* The program may have closed standard error and opened a file of its own there. */
static bool is_stderr(int fd)
{
	const struct file like = {.dev = the.stderr_dev, .ino = the.stderr_ino};
	struct statx st;

	return the.stderr_ino && fd >= 0 && file_confirm(&like, fd, &st);
}

/* Where standard error as it was at the start can be had, or < 0. */
static long find_stderr(void)
{
	return is_stderr(STDERR) ? STDERR : is_stderr(the.spare) ? the.spare : -1;
}

static bool make_path(const char *destination, const char *directory)
{
	struct text path = text_over(the.path, PATH_ROOM);

	if (destination[0] != '/' && directory) {
		text_string(&path, directory);
		text_byte(&path, '/');
	}
	text_string(&path, destination);
	text_end(&path);
	return !path.cut;
}

void log_as_json(void)
{
	the.json = true;
}

void log_begin(const char *destination, const char *directory, const char *prog)
{
	the.prog = prog;
	remember_stderr();
	if (!destination || !*destination)
		return;
	the.to_stderr = text_equal(destination, "stderr");
	the.wanted = the.to_stderr || make_path(destination, directory);
	if (the.to_stderr)
		keep_stderr();
	if (the.wanted)
		first_figures();
}

bool log_wanted(void)
{
	return the.wanted;
}

void log_forked(void)
{
	atomic_store_explicit(&the.files, 0, memory_order_relaxed);
	for (int i = 0; i < COUNTERS; i++)
		atomic_store_explicit(&the.totals[i], 0, memory_order_relaxed);
	if (the.wanted)
		first_figures();
}

/* The log's path with `%p` replaced. */
static const char *expand(char *memory, size_t room)
{
	struct text path = text_over(memory, room);

	for (const char *s = the.path; *s; s++) {
		if (s[0] == '%' && s[1] == 'p') {
			text_signed(&path, sys_getpid());
			s++;
		} else {
			text_byte(&path, *s);
		}
	}
	return text_end(&path);
}

static long open_log(char *scratch)
{
	return sys_openat(AT_FDCWD, expand(scratch, PATH_ROOM),
			  O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY |
				  O_NONBLOCK,
			  0600);
}

long log_try(void)
{
	char *scratch = scratch_take();
	long fd = 0;

	if (scratch && the.wanted && !the.to_stderr) {
		fd = open_log(scratch);
		if (!sys_failed(fd))
			fd = sys_close((int)fd);
	}
	scratch_give(scratch);
	return fd;
}

static void write_line(const struct text *line, char *scratch)
{
	long fd = the.to_stderr ? find_stderr() : open_log(scratch);

	if (sys_failed(fd))
		return;
	sys_write((int)fd, line->start, text_length(line));
	if (!the.to_stderr)
		sys_close((int)fd);
}

/* `scratch` holds the line in its first half; its second half is free for the path. */
static void emit(char *scratch, enum record_type type, const struct record *record)
{
	struct text line = text_over(scratch, RECORD_MAX);
	struct record_head head = {.time = sys_wall_clock(), .pid = sys_getpid(), .prog = the.prog};

	record_compose(&line, the.json, type, &head, record);
	if (!line.cut)
		write_line(&line, scratch + RECORD_MAX);
}

void log_complain(const char *line, size_t n)
{
	if (is_stderr(STDERR))
		sys_write(STDERR, line, n);
}

static const char *mode_word(int access)
{
	return access == ACCESS_BOTH ? "rw" : access == ACCESS_WRITE ? "w" : "r";
}

void log_absorb(const struct file *file)
{
	for (int i = 0; i < COUNTERS; i++)
		atomic_fetch_add_explicit(&the.totals[i], file_counted(file, (enum counter)i),
					  memory_order_relaxed);
}

static int64_t dirty_bytes(const struct file *file, int fd)
{
	return residency_unwritten(file->probe, fd, 0, INT64_MAX);
}

static void describe(const struct file *file, int fd, const struct statx *st, char *memory,
		     struct record *record)
{
	int64_t size = (int64_t)st->stx_size, after;

	after = residency_bytes(file->probe, fd, 0, larger(size, PAGE));
	*record = (struct record){
		.path = fdlink_path(fd, memory, PATH_ROOM) > 0 ? memory : "-",
		.fs = fsinfo_name(fd, file->dev),
		.mode = mode_word(file->access),
		.policy = policy_name(file_done(file)),
		.asked = policy_name(file->asked),
		.reason = reason_word(file_why(file)),
		.size = size,
		.cached_before = file->cached_before,
		.cached_after = after,
		.dirty_after = dirty_bytes(file, fd),
		.peak = after < 0 ? after : larger(larger(file->peak, file->cached_before), after),
		.secs = sys_steady_clock() - file->opened,
#define COUNTER(name) .name = (int64_t)file_counted(file, COUNT_##name),
#include "counters.def"
#undef COUNTER
	};
}

void log_file(struct file *file, int fd)
{
	char *path = scratch_take(), *line = scratch_take();
	struct record record;
	struct statx st;

	if (path && line && file_confirm(file, fd, &st)) {
		atomic_fetch_add_explicit(&the.files, 1, memory_order_relaxed);
		describe(file, fd, &st, path, &record);
		emit(line, RECORD_file, &record);
	}
	scratch_give(path);
	scratch_give(line);
}

void log_process(void)
{
	char *line = scratch_take();
	struct record record = {
		.files = atomic_load_explicit(&the.files, memory_order_relaxed),
		.cached_before = the.cached,
		.cached_after = system_cached(),
		.swap_in = swapped("pswpin") - the.swap_in,
		.swap_out = swapped("pswpout") - the.swap_out,
		.secs = sys_steady_clock() - the.started,
#define COUNTER(name)                                                                              \
	.name = (int64_t)atomic_load_explicit(&the.totals[COUNT_##name], memory_order_relaxed),
#include "counters.def"
#undef COUNTER
	};

	if (line)
		emit(line, RECORD_process, &record);
	scratch_give(line);
}
