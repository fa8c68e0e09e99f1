/* engine_treat.c - what is done on a file: from a wish and facts to a policy. */
#include "engine_treat.h"

#include "config.h"
#include "direct.h"
#include "dontcache.h"
#include "fdlink.h"
#include "fsinfo.h"
#include "log.h"
#include "relaxed.h"
#include "scratch.h"
#include "settle.h"
#include "stream.h"
#include "sys.h"
#include "units.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

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

enum policy engine_choose(enum policy asked, bool storage, enum reason *reason)
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

/* What follows from what was cached before for a file that is treated so. */
static void note_residency(struct file *file)
{
	bool unknown = file->probe == PROBE_NONE || file_before(file) == BEFORE_UNKNOWN;

	if (unknown && file_policy(file) != POLICY_OFF)
		file_note(file, REASON_KEEP_UNKNOWN);
	if (!file_treatment(file)->keep)
		file_set_before(file, BEFORE_NOTHING);
	if (file_before(file) == BEFORE_ALL && file_policy(file) == POLICY_DONTNEED)
		file_note(file, REASON_HOT);
}

static void learn_position(struct file *file, int fd)
{
	int64_t at = sys_position(fd);

	if (at >= 0)
		units_learn(file, fd, at, at + (int64_t)file_treatment(file)->window);
}

/*
 * What is not known is taken for somebody's, but for a file that this open emptied. Whose a file
 * is that may be read, but not asked about, its first read tells (stream.c).
 */
static enum before before_of(int64_t size, int64_t cached, bool partly)
{
	if (size == 0)
		return BEFORE_NOTHING;
	if (cached == RESIDENCY_UNKNOWN)
		return BEFORE_UNKNOWN;
	if (cached >= size)
		return BEFORE_ALL;
	return cached || partly ? BEFORE_SOME : BEFORE_NOTHING;
}

/* Whether the program wrote the file lately: what it was then is what others have of it. */
static bool was_to_settle(struct file *file, int64_t size)
{
	int64_t kept = settle_claim(file->dev, file->ino, &file->owed);

	if (kept < 0)
		return false;
	file_set_before(file, kept && size ? BEFORE_ALL : BEFORE_NOTHING);
	if (kept)
		file->old_size = smaller(file->old_size, kept);
	return true;
}

void engine_learn(struct file *file, int fd, const struct statx *st, bool blind)
{
	int64_t size = file_size(st);
	struct file *twin = file_twin_of(file);
	int64_t cached;
	bool partly;

	file->blind = blind;
	file->probe = residency_first(fd, blind, st->stx_uid, larger(size, PAGE), &cached);
	partly = file->probe == PROBE_MINCORE && size > MINCORE_FIRST;
	file->cached_before = file->peak = partly ? RESIDENCY_UNKNOWN : cached;
	file_set_before(file, before_of(size, cached, partly));
	if (!was_to_settle(file, size) && twin && file_treatment(file)->keep &&
	    atomic_load_explicit(&twin->learnt, memory_order_acquire))
		file_set_before(file, file_before(twin));
	note_residency(file);
	/* Release: who opens the file beside us takes over what is known, not what is not yet. */
	atomic_store_explicit(&file->learnt, true, memory_order_release);
	if (twin) {
		relaxed_stop(twin, -1, REASON_SHARED);
		atomic_store_explicit(&twin->shared, true, memory_order_relaxed);
		atomic_store_explicit(&file->shared, true, memory_order_relaxed);
	}
	if (file_policy(file) == POLICY_DONTNEED && file_before(file) == BEFORE_SOME)
		learn_position(file, fd);
}

/* Nothing is known yet that keeps it from O_DIRECT. */
static bool may_be_direct(enum policy asked, enum policy policy)
{
	return policy == POLICY_DONTNEED && asked != POLICY_DONTNEED && asked != POLICY_DONTCACHE;
}

void engine_treat(struct file *file, int fd, const struct treatment *treatment, bool storage)
{
	const struct treatment *now = treatment ? treatment : &policy_off;
	enum reason reason;
	enum policy policy = engine_choose(now->policy, storage, &reason);

	if (!treatment)
		reason = REASON_NO_RULE;
	atomic_store_explicit(&file->treatment, now, memory_order_relaxed);
	atomic_store_explicit(&file->policy, policy, memory_order_relaxed);
	atomic_store_explicit(&file->reason, reason, memory_order_relaxed);
	/* Until relaxed_begin(), which a file that is new to the program comes to. */
	atomic_store_explicit(&file->unrelaxed, now->relaxed ? REASON_INHERITED : REASON_NONE,
			      memory_order_relaxed);
	file->accounted |= now->policy != POLICY_OFF && log_wanted();
	file_set_direct(file, may_be_direct(now->policy, policy));
	file_set_dontcache(file, false);
	if (policy == POLICY_DONTNEED && now->policy == POLICY_DONTCACHE)
		dontcache_begin(file, fd);
	if (policy == POLICY_NOREUSE)
		sys_advise(fd, 0, 0, POSIX_FADV_NOREUSE);
}

void engine_treat_anew(struct file *file, int fd, const struct treatment *treatment)
{
	bool streamed = file_policy(file) == POLICY_DONTNEED;
	struct fsinfo fs = fsinfo_of(fd, file->dev);

	relaxed_stop(file, fd, REASON_NONE);
	engine_treat(file, fd, treatment, fs.storage);
	file->direct_then = file_counted(file, COUNT_direct);
	atomic_store_explicit(&file->dontcached, 0, memory_order_relaxed);
	if (!file_may_be_direct(file))
		direct_leave(file);
	if (file_policy(file) != POLICY_DONTNEED)
		stream_leave(file, fd);
	else if (!streamed)
		stream_join(file);
	note_residency(file);
}
