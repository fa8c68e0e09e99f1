/* engine.c - which descriptors are managed, and how: rules and facts become a policy. */
#include "engine.h"

#include "direct.h"
#include "engine_growth.h"
#include "engine_treat.h"
#include "fsinfo.h"
#include "log.h"
#include "process.h"
#include "scratch.h"
#include "settle.h"
#include "sys.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/stat.h>
#include <sys/stat.h>

_Atomic bool engine_is_passive = true;

void engine_begin(struct environment *environment)
{
	process_begin();
	config_begin(environment);
	if (config.nothing_to_do)
		return;
	atomic_store_explicit(&engine_is_passive, false, memory_order_release);
}

void engine_passive(bool passive)
{
	if (passive && !engine_passive_now() && engine_may_change()) {
		relaxed_stop_all(REASON_PASSIVE);
		direct_lose(0, UINT_MAX);
	}
	atomic_store_explicit(&engine_is_passive, passive, memory_order_release);
}

static void inherit(struct file *file, void *data)
{
	(void)data;
	relaxed_inherit(file);
	direct_inherit(file);
	atomic_store_explicit(&file->passed, true, memory_order_relaxed);
	file->inherited = true;
	file->finished = false;
	file_reset_counters(file);
	stream_inherit(file);
	file_release(file);
}

/* In the child of fork(2) the records are copies and what their holders did goes on elsewhere. */
static void begin_anew(void)
{
	process_own();
	scratch_forked();
	settle_forget();
	direct_forked();
	fdtab_forget_opened();
	file_each(inherit, NULL);
	stream_forked();
	log_forked();
}

bool engine_may_change(void)
{
	if (process_is_new())
		begin_anew();
	return process_is_owner();
}

static enum access access_of(int fd)
{
	long flags = sys_getflags(fd) & O_ACCMODE;

	return flags == O_RDWR ? ACCESS_BOTH : flags == O_WRONLY ? ACCESS_WRITE : ACCESS_READ;
}

static bool is_data(const struct statx *st)
{
	return S_ISREG(st->stx_mode) || S_ISBLK(st->stx_mode);
}

static struct file *make_record(int fd, const struct statx *st, const struct treatment *treatment,
				enum access access, int64_t line)
{
	struct fsinfo fs = fsinfo_of(fd, file_dev(st));
	struct file *file = file_new(st);

	if (!file)
		return NULL;
	engine_treat(file, fd, treatment, fs.storage || S_ISBLK(st->stx_mode));
	file->access = access;
	if (log_wanted())
		file->opened = sys_steady_clock();
	stream_begin(file, file_policy(file) == POLICY_DONTNEED);
	if (file_policy(file) == POLICY_DONTNEED || file->accounted || line != INT64_MAX)
		engine_learn(file, fd, st, fs.cachestat_blind);
	engine_draw_line(file, fd, line, (int64_t)st->stx_size);
	return file;
}

/*
 * Whether a record is worth having: something is done, or at least reported, or may be when the
 * file has grown.
 */
static bool worth_a_record(const struct treatment *treatment, const struct fsinfo *fs, int64_t line)
{
	enum reason reason;

	if (fs->kernel)
		return false;
	if (line != INT64_MAX)
		return true;
	if (!treatment || treatment->policy == POLICY_OFF)
		return false;
	return log_wanted() || engine_choose(treatment->policy, fs->storage, &reason) != POLICY_OFF;
}

static struct file *adopt(int fd, uintptr_t slot)
{
	const struct treatment *treatment = NULL;
	enum access access = ACCESS_READ;
	struct file *file = NULL;
	struct fsinfo fs;
	struct statx st;
	int64_t line;

	if (!engine_may_change() || sys_failed(sys_stat(fd, &st)))
		return NULL;
	if (is_data(&st)) {
		fs = fsinfo_of(fd, file_dev(&st));
		fs.storage |= S_ISBLK(st.stx_mode);
		if (config.need_mode || config.need_size || log_wanted())
			access = access_of(fd);
		treatment = engine_asked_for(fd, &st, access, &line);
		if (worth_a_record(treatment, &fs, line))
			file = make_record(fd, &st, treatment, access, line);
	}
	if (file)
		atomic_store_explicit(&file->passed, slot != FD_OPENED, memory_order_relaxed);
	if (fdtab_change(fd, slot, file ? (uintptr_t)file : FD_ALONE))
		return file;
	if (file)
		file_free(file);
	return NULL;
}

struct file *engine_meet(int fd, uintptr_t slot)
{
	struct file *file;

	if (process_is_new()) {
		begin_anew();
		slot = fdtab_get(fd);
	}
	if (!fdtab_is_record(slot))
		return slot == FD_HIDDEN ? NULL : adopt(fd, slot);
	file = (struct file *)slot;
	if (atomic_load_explicit(&file->grown, memory_order_relaxed))
		engine_ask_again(file, fd);
	return file;
}

bool engine_status(int fd, enum policy *policy, enum reason *reason)
{
	struct file *file = engine_file(fd);
	const struct treatment *treatment;
	struct statx st;
	int64_t line;

	*policy = POLICY_OFF;
	if (file) {
		*policy = file_done(file);
		*reason = file_why(file);
		return true;
	}
	*reason = REASON_PASSIVE;
	if (sys_failed(sys_stat(fd, &st)))
		return false;
	if (engine_passive_now())
		return true;
	treatment = is_data(&st) ? engine_asked_for(fd, &st, access_of(fd), &line) : NULL;
	*reason = !is_data(&st) ? REASON_NOT_A_FILE : !treatment ? REASON_NO_RULE : REASON_NONE;
	if (treatment && treatment->policy != POLICY_OFF)
		*reason = REASON_NO_STORAGE;
	return true;
}
