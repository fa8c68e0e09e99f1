/* engine.c - which descriptors are managed, and how: rules and facts become a policy. */
#include "engine.h"

#include "direct.h"
#include "dontcache.h"
#include "engine_growth.h"
#include "fdlink.h"
#include "fsinfo.h"
#include "log.h"
#include "pool.h"
#include "process.h"
#include "relaxed.h"
#include "settle.h"
#include "sys.h"
#include "units.h"

#include <fcntl.h>
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
	if (passive)
		relaxed_stop_all(REASON_PASSIVE);
	atomic_store_explicit(&engine_is_passive, passive, memory_order_release);
}

static void inherit(struct file *file, void *data)
{
	(void)data;
	relaxed_inherit(file);
	direct_inherit(file);
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
	file_each(inherit, NULL);
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

const struct treatment *engine_asked_for(int fd, const struct statx *st, enum access access,
					 int64_t *line)
{
	struct rules_subject subject = {
		.prog = config.prog,
		.size = st->stx_size,
		.access = access,
	};
	const struct treatment *treatment;
	char *scratch = NULL;

	if (config.rules.need_fs)
		subject.fs = fsinfo_name(fd, file_dev(st));
	if (config.rules.need_path && (scratch = scratch_take()) &&
	    fdlink_path(fd, scratch, SCRATCH_SIZE) > 0)
		subject.path = scratch;
	if (config.rules.need_path && !subject.path)
		subject.path = "-";
	treatment = rules_match(&config.rules, &subject);
	if (config.need_size && access != ACCESS_READ && S_ISREG(st->stx_mode))
		*line = rules_next_line(&config.rules, &subject);
	else
		*line = INT64_MAX;
	scratch_give(scratch);
	return treatment;
}

/* What is done on a file for which `asked` is asked, and why if it is something else. */
static enum policy choose(enum policy asked, bool storage, enum reason *reason)
{
	*reason = REASON_NONE;
	switch (asked) {
	case POLICY_AUTO:
		*reason = storage ? REASON_AUTO : REASON_NO_STORAGE;
		return storage ? POLICY_DONTNEED : POLICY_OFF;
	case POLICY_DIRECT:
	case POLICY_DONTCACHE:
		*reason = storage ? REASON_NONE : REASON_NO_STORAGE;
		return storage ? POLICY_DONTNEED : POLICY_OFF;
	case POLICY_DONTNEED:
	case POLICY_NOREUSE:
		*reason = storage ? REASON_NONE : REASON_NO_STORAGE;
		return storage ? asked : POLICY_OFF;
	default:
		return asked;
	}
}

static bool is_data(const struct statx *st)
{
	return S_ISREG(st->stx_mode) || S_ISBLK(st->stx_mode);
}

/* What follows from what was cached before for a file that is treated so. */
static void note_residency(struct file *file)
{
	if (file->probe == PROBE_NONE && file->policy != POLICY_OFF)
		file_note(file, REASON_KEEP_UNKNOWN);
	if (!file->treatment.keep)
		file->before = BEFORE_NOTHING;
	if (file->before == BEFORE_ALL && file->policy == POLICY_DONTNEED)
		file_note(file, REASON_HOT);
}

/* Fills in what was cached before the program came. */
static void learn_residency(struct file *file, int fd, const struct statx *st, bool blind)
{
	int64_t size = file_size(st);
	struct file *twin = file_twin_of(file);
	int64_t cached;

	file->blind = blind;
	file->probe = residency_first(fd, blind, st->stx_uid, larger(size, PAGE), &cached);
	file->cached_before = file->peak = cached;
	if (cached > 0)
		file->before = cached >= size ? BEFORE_ALL : BEFORE_SOME;
	if (settle_claim(file->dev, file->ino))
		file->before = BEFORE_NOTHING;
	else if (twin && file->treatment.keep)
		file->before = twin->before;
	note_residency(file);
	if (twin) {
		relaxed_stop(twin, -1, REASON_SHARED);
		atomic_store_explicit(&twin->shared, true, memory_order_relaxed);
		atomic_store_explicit(&file->shared, true, memory_order_relaxed);
	}
}

static void learn_position(struct file *file, int fd)
{
	int64_t at = sys_position(fd);

	if (at >= 0)
		units_learn(file, fd, at, at + (int64_t)file->treatment.window);
}

/* Writes the rule's wish (NULL: no rule matches) and what is done about it into the record. */
static void treat(struct file *file, int fd, const struct treatment *treatment, bool storage)
{
	enum reason reason;

	file->treatment = treatment ? *treatment : policy_defaults(POLICY_OFF);
	file->asked = file->treatment.policy;
	file->policy = choose(file->asked, storage, &reason);
	if (!treatment)
		reason = REASON_NO_RULE;
	atomic_store_explicit(&file->reason, reason, memory_order_relaxed);
	/* Until relaxed_begin(), which a file that is new to the program comes to. */
	atomic_store_explicit(&file->unrelaxed,
			      file->treatment.relaxed ? REASON_INHERITED : REASON_NONE,
			      memory_order_relaxed);
	file->accounted |= file->asked != POLICY_OFF && log_wanted();
	file->may_be_direct = file->policy == POLICY_DONTNEED && file->asked != POLICY_DONTNEED &&
			      file->asked != POLICY_DONTCACHE;
	file->may_dontcache = false;
	if (file->policy == POLICY_DONTNEED && file->asked == POLICY_DONTCACHE)
		dontcache_begin(file, fd);
	if (file->policy == POLICY_NOREUSE)
		sys_advise(fd, 0, 0, POSIX_FADV_NOREUSE);
}

void engine_treat_anew(struct file *file, int fd, const struct treatment *treatment)
{
	bool streamed = file->policy == POLICY_DONTNEED;
	struct fsinfo fs = fsinfo_of(fd, file->dev);

	relaxed_stop(file, fd, REASON_NONE);
	treat(file, fd, treatment, fs.storage);
	file->direct_then = file_counted(file, COUNT_direct);
	atomic_store_explicit(&file->dontcached, 0, memory_order_relaxed);
	if (!file->may_be_direct)
		direct_leave(file);
	if (file->policy != POLICY_DONTNEED)
		stream_leave(file, fd);
	else if (!streamed)
		stream_join(file);
	note_residency(file);
}

static struct file *make_record(int fd, const struct statx *st, const struct treatment *treatment,
				enum access access, int64_t line)
{
	struct fsinfo fs = fsinfo_of(fd, file_dev(st));
	struct file *file = file_new(st);

	if (!file)
		return NULL;
	treat(file, fd, treatment, fs.storage || S_ISBLK(st->stx_mode));
	file->access = access;
	if (log_wanted())
		file->opened = sys_steady_clock();
	stream_begin(file, file->policy == POLICY_DONTNEED);
	if (file->policy == POLICY_DONTNEED || file->accounted || line != INT64_MAX)
		learn_residency(file, fd, st, fs.cachestat_blind);
	if (file->policy == POLICY_DONTNEED && file->before == BEFORE_SOME)
		learn_position(file, fd);
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
	return log_wanted() || choose(treatment->policy, fs->storage, &reason) != POLICY_OFF;
}

static struct file *adopt(int fd)
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
	if (fdtab_change(fd, FD_UNKNOWN, file ? (uintptr_t)file : FD_ALONE))
		return file;
	if (file)
		file_free(file);
	return NULL;
}

struct file *engine_meet(int fd, uintptr_t slot)
{
	struct file *file;

	if (process_is_new())
		begin_anew();
	if (!fdtab_is_record(slot))
		return slot == FD_UNKNOWN ? adopt(fd) : NULL;
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
	if (atomic_load_explicit(&engine_is_passive, memory_order_relaxed))
		return true;
	treatment = is_data(&st) ? engine_asked_for(fd, &st, access_of(fd), &line) : NULL;
	*reason = !is_data(&st) ? REASON_NOT_A_FILE : !treatment ? REASON_NO_RULE : REASON_NONE;
	if (treatment && treatment->policy != POLICY_OFF)
		*reason = REASON_NO_STORAGE;
	return true;
}
