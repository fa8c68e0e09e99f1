/* file.c - the records of open file descriptions and their pool. */
#include "file.h"

#include "pool.h"
#include "sys.h"

#include <linux/stat.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

static struct pool records = {.size = sizeof(struct file)};

uint64_t file_dev(const struct statx *st)
{
	return (uint64_t)st->stx_dev_major << 32 | st->stx_dev_minor;
}

struct file *file_new(const struct statx *st)
{
	struct file *file = pool_take(&records);

	if (!file)
		return NULL;
	/*
	 * Not the references: there are none, and file_each() of another thread may be looking. Nor
	 * the treatment, which a thread that has the record from before it was freed may look at.
	 */
	memset(&file->held, 0, sizeof(*file) - offsetof(struct file, held));
	file->dev = file_dev(st);
	file->ino = st->stx_ino;
	atomic_store_explicit(&file->treatment, &policy_off, memory_order_relaxed);
	file->old_size = file_size(st);
	atomic_store_explicit(&file->line, INT64_MAX, memory_order_relaxed);
	for (int i = 0; i < UNITS; i++)
		file->units[i].index = -1;
	/* Release: file_each() of another thread reads a record only with a reference. */
	atomic_store_explicit(&file->refs, 1, memory_order_release);
	return file;
}

void file_ref(struct file *file)
{
	atomic_fetch_add_explicit(&file->refs, 1, memory_order_relaxed);
}

bool file_unref(struct file *file)
{
	return atomic_fetch_sub_explicit(&file->refs, 1, memory_order_acq_rel) == 1;
}

void file_free(struct file *file)
{
	atomic_store_explicit(&file->refs, 0, memory_order_relaxed);
	pool_give(&records, file);
}

struct visitor {
	void (*visit)(struct file *file, void *data);
	void *data;
};

static void visit_live(void *object, void *data)
{
	struct visitor *visitor = data;
	struct file *file = object;

	if (atomic_load_explicit(&file->refs, memory_order_acquire) > 0)
		visitor->visit(file, visitor->data);
}

void file_each(void (*visit)(struct file *file, void *data), void *data)
{
	struct visitor visitor = {visit, data};

	pool_each(&records, visit_live, &visitor);
}

struct search {
	const struct file *like;
	struct file *found;
};

static void match_inode(struct file *file, void *data)
{
	struct search *search = data;

	if (file != search->like && file->ino == search->like->ino &&
	    file->dev == search->like->dev)
		search->found = file;
}

struct file *file_twin_of(const struct file *file)
{
	struct search search = {.like = file};

	file_each(match_inode, &search);
	return search.found;
}

static void match_lock(struct file *file, void *data)
{
	struct search *search = data;

	if (file->ino == search->like->ino && file->dev == search->like->dev &&
	    atomic_load_explicit(&file->locked, memory_order_relaxed))
		search->found = file;
}

bool file_is_locked(const struct file *file)
{
	struct search search = {.like = file};

	file_each(match_lock, &search);
	return search.found;
}

bool file_confirm(const struct file *file, int fd, struct statx *st)
{
	return !sys_failed(sys_stat(fd, st)) && st->stx_ino == file->ino &&
	       file_dev(st) == file->dev;
}

bool file_still(const struct statx *st, int fd)
{
	struct statx now;

	return sys_failed(sys_stat(fd, &now)) ||
	       (now.stx_ino == st->stx_ino && file_dev(&now) == file_dev(st));
}

/* Before the first byte, what is asked will be done as far as is known. */
enum policy file_done(const struct file *file)
{
	bool moved = file_has_moved(file);

	if (file_counted(file, COUNT_direct) > file->direct_then ||
	    (file_asked(file) == POLICY_DIRECT && file_may_be_direct(file) && !moved))
		return POLICY_DIRECT;
	if (file_dontcached(file) ||
	    (file_asked(file) == POLICY_DONTCACHE && file_may_dontcache(file) && !moved))
		return POLICY_DONTCACHE;
	return file_policy(file);
}

enum reason file_why(const struct file *file)
{
	enum reason reason = (enum reason)atomic_load_explicit(&file->reason, memory_order_relaxed);
	enum reason unrelaxed =
		(enum reason)atomic_load_explicit(&file->unrelaxed, memory_order_relaxed);

	if (file_asked(file) != POLICY_DIRECT && file_asked(file) != POLICY_DONTCACHE)
		return reason;
	if (file_asked(file) == POLICY_DONTCACHE && file_done(file) == POLICY_DONTCACHE)
		return REASON_NONE;
	if (file_done(file) == POLICY_DIRECT || (unrelaxed && reason == REASON_NONE))
		return unrelaxed;
	return reason == REASON_NONE ? REASON_SMALL : reason;
}

void file_reset_counters(struct file *file)
{
	for (int i = 0; i < COUNTERS; i++)
		atomic_store_explicit(&file->counters[i], 0, memory_order_relaxed);
	file->direct_then = 0;
	file->owed = 0;
	atomic_store_explicit(&file->dontcached, 0, memory_order_relaxed);
}

void file_note_peak(struct file *file, int fd)
{
	if (file->accounted && file->probe == PROBE_CACHESTAT)
		file->peak = larger(file->peak, residency_bytes(file->probe, fd, 0, INT64_MAX));
}

int64_t file_size(const struct statx *st)
{
	return S_ISBLK(st->stx_mode) ? INT64_MAX / 4 : (int64_t)st->stx_size;
}

bool file_hold(struct file *file)
{
	/* Acquire pairs with file_release(): the windows are as their last holder left them. */
	return !atomic_exchange_explicit(&file->held, true, memory_order_acquire);
}

void file_release(struct file *file)
{
	atomic_store_explicit(&file->held, false, memory_order_release);
}
