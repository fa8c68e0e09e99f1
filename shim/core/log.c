/* log.c - composing and writing log records. */
#include "log.h"

#include "fdlink.h"
#include "fsinfo.h"
#include "log_place.h"
#include "procfs.h"
#include "record.h"
#include "rules.h"
#include "scratch.h"
#include "sys.h"

#include <linux/stat.h>

enum { PATH_ROOM = 4096 };

static struct {
	bool json;
	const char *prog;
	int64_t started, cached, swap_in, swap_out;
	_Atomic int64_t files;
	_Atomic uint64_t totals[COUNTERS];
} the;

/* A figure of the machine in bytes, -1 where it cannot be read, as in a chroot(2) without /proc. */
static int64_t figure(const char *path, const char *key, int64_t unit)
{
	int64_t n = procfs_number(path, key);

	return n < 0 ? -1 : n * unit;
}

static int64_t system_cached(void)
{
	return figure("/proc/meminfo", "Cached", 1024);
}

static int64_t swapped(const char *key)
{
	return figure("/proc/vmstat", key, PAGE);
}

static int64_t swapped_since(const char *key, int64_t before)
{
	int64_t now = swapped(key);

	return now < 0 || before < 0 ? -1 : now - before;
}

static void first_figures(void)
{
	the.started = sys_steady_clock();
	the.cached = system_cached();
	the.swap_in = swapped("pswpin");
	the.swap_out = swapped("pswpout");
}

void log_as_json(void)
{
	the.json = true;
}

void log_begin(const char *destination, const char *directory, const char *prog)
{
	the.prog = prog;
	log_place_begin(destination, directory);
	if (log_wanted())
		first_figures();
}

bool log_wanted(void)
{
	return log_place_is_set();
}

void log_forked(void)
{
	atomic_store_explicit(&the.files, 0, memory_order_relaxed);
	for (int i = 0; i < COUNTERS; i++)
		atomic_store_explicit(&the.totals[i], 0, memory_order_relaxed);
	if (log_wanted())
		first_figures();
}

long log_try(void)
{
	char *scratch = scratch_take();
	long tried = scratch ? log_place_try(scratch) : 0;

	scratch_give(scratch);
	return tried;
}

/* `scratch` holds the line in its first half; its second half is free for the path. */
static void emit(char *scratch, enum record_type type, const struct record *record)
{
	struct text line = text_over(scratch, RECORD_MAX);
	struct record_head head = {.time = sys_wall_clock(), .pid = sys_getpid(), .prog = the.prog};

	record_compose(&line, the.json, type, &head, record);
	if (!line.cut)
		log_place_write(&line, scratch + RECORD_MAX);
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

/* `fd` < 0: nothing can be asked of the file any more. */
static void describe(const struct file *file, int fd, int64_t size, char *memory,
		     struct record *record)
{
	int64_t after = residency_bytes(file->probe, fd, 0, larger(size, PAGE));

	*record = (struct record){
		.path = fdlink_path(fd, memory, PATH_ROOM) > 0 ? memory : "-",
		.fs = fsinfo_name(fd, file->dev),
		.mode = mode_word(file->access),
		.policy = policy_name(file_done(file)),
		.asked = policy_name(file_asked(file)),
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

	atomic_fetch_add_explicit(&the.files, 1, memory_order_relaxed);
	if (path && line && file_confirm(file, fd, &st)) {
		describe(file, fd, (int64_t)st.stx_size, path, &record);
		emit(line, RECORD_file, &record);
	} else if (path && line) {
		file_note(file, REASON_CHANGED);
		describe(file, -1, -1, path, &record);
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
		.swap_in = swapped_since("pswpin", the.swap_in),
		.swap_out = swapped_since("pswpout", the.swap_out),
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
