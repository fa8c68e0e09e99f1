/* relaxed_begin.c - which files are relaxed, from when on and until when. */
#include "relaxed_file.h"

#include "fdtab.h"
#include "pool.h"
#include "process.h"
#include "sys.h"

#include <linux/stat.h>
#include <sys/stat.h>

enum {
	MAPPINGS = 32, /* files whose mappings are remembered */
	NUMBERS = 64,  /* descriptors that are looked at for one that nothing is known of */
};

static struct pool relaxeds = {.size = sizeof(struct relaxed)};
static _Atomic bool finished;

/* Files that were mapped, by inode and device; when they are too many, no file is relaxed. */
static _Atomic uint64_t mappings[MAPPINGS];
static _Atomic int mapped;

static uint64_t name_of(const struct file *file)
{
	return file->ino ^ file->dev << 40;
}

static bool was_mapped(const struct file *file)
{
	int n = atomic_load_explicit(&mapped, memory_order_acquire);

	for (int i = 0; i < n && i < MAPPINGS; i++)
		if (atomic_load_explicit(&mappings[i], memory_order_relaxed) == name_of(file))
			return true;
	return n > MAPPINGS;
}

void relaxed_mapped(struct file *file)
{
	int i;

	relaxed_stop(file, -1, REASON_MAPPED);
	if (was_mapped(file))
		return;
	i = atomic_fetch_add_explicit(&mapped, 1, memory_order_acq_rel);
	if (i < MAPPINGS)
		atomic_store_explicit(&mappings[i], name_of(file), memory_order_relaxed);
}

static bool is_at(const struct file *file, int fd)
{
	struct statx st;

	return file_confirm(file, fd, &st);
}

/* Whether a descriptor that no record tells of means the file, too. */
static bool is_open_elsewhere(const struct file *file, int fd)
{
	for (int other = 0; other < NUMBERS; other++)
		if (other != fd && !fdtab_is_record(fdtab_get(other)) && is_at(file, other))
			return true;
	return false;
}

static enum reason obstacle(const struct file *file)
{
	if (atomic_load_explicit(&file->shared, memory_order_relaxed))
		return REASON_SHARED;
	if (atomic_load_explicit(&file->locked, memory_order_relaxed))
		return REASON_LOCKED;
	if (atomic_load_explicit(&file->mapped, memory_order_relaxed) || was_mapped(file))
		return REASON_MAPPED;
	if (atomic_load_explicit(&file->own_direct, memory_order_relaxed))
		return REASON_OWN_DIRECT;
	return REASON_NONE;
}

static struct relaxed *relaxed_new(struct file *file)
{
	struct relaxed *relaxed = pool_take(&relaxeds);

	if (!relaxed)
		return NULL;
	*relaxed = (struct relaxed){.file = file, .fd = -1, .patience = RELAXED_PATIENCE};
	sys_block_signals(&relaxed->mask);
	sys_restore_signals(&relaxed->mask);
	return relaxed;
}

void relaxed_begin(struct file *file, int fd)
{
	enum reason reason = is_open_elsewhere(file, fd) ? REASON_SHARED : obstacle(file);
	struct relaxed *relaxed = NULL;

	if (atomic_load_explicit(&finished, memory_order_relaxed) || !direct_wants_writes(file))
		return;
	if (reason == REASON_NONE && !(relaxed = relaxed_new(file)))
		reason = REASON_NO_MEMORY;
	atomic_store_explicit(&file->unrelaxed, reason, memory_order_relaxed);
	if (!relaxed)
		return;
	atomic_fetch_add_explicit(&relaxed_files, 1, memory_order_relaxed);
	/* Release pairs with the acquire in relaxed_of(). */
	atomic_store_explicit(&file->relaxed, relaxed, memory_order_release);
}

void relaxed_give_up(struct relaxed *relaxed, struct file *file, enum reason reason)
{
	int none = REASON_NONE;

	atomic_compare_exchange_strong_explicit(&file->unrelaxed, &none, reason,
						memory_order_relaxed, memory_order_relaxed);
	atomic_store_explicit(&relaxed->user, RELAXED_STOPPED, memory_order_relaxed);
}

/* The kind's own part, where the description stands. */
static bool begin_at(struct relaxed *relaxed, int fd, enum relaxed_kind kind, int64_t size)
{
	int64_t at = sys_position(fd);

	if (at < 0 || at > INT64_MAX / 2)
		return false;
	relaxed->fd = fd;
	relaxed->begun = at;
	relaxed->calls = 0;
	atomic_store_explicit(&relaxed->at, at, memory_order_relaxed);
	return kind == RELAXED_READING ? relaxed_begin_reading(relaxed, fd, size)
				       : relaxed_begin_writing(relaxed, fd);
}

/* A vfork child only borrows the table, and an interrupted call must not see another beginning. */
static bool begin(struct relaxed *relaxed, int fd, enum relaxed_kind kind)
{
	struct file *file = relaxed->file;
	struct statx st;

	if (relaxed_is_stopped(relaxed) || !process_is_owner() || !direct_wants_writes(file) ||
	    !file_confirm(file, fd, &st) || !S_ISREG(st.stx_mode))
		return false;
	relaxed->direct = direct_hold(file, fd);
	if (!relaxed->direct)
		return false;
	if (begin_at(relaxed, fd, kind, file_size(&st))) {
		atomic_store_explicit(&relaxed->kind, kind, memory_order_relaxed);
		return true;
	}
	relaxed_give_back(relaxed, RELAXED_NOT);
	return false;
}

static bool begin_quietly(struct relaxed *relaxed, int fd, enum relaxed_kind kind)
{
	enum reason reason = obstacle(relaxed->file);
	uint64_t mask;
	bool begun;

	if (reason != REASON_NONE) {
		relaxed_give_up(relaxed, relaxed->file, reason);
		return false;
	}
	sys_block_signals(&mask);
	begun = !(mask & ~relaxed->mask) && begin(relaxed, fd, kind);
	sys_restore_signals(&mask);
	if (!begun)
		relaxed_learn(relaxed, false);
	return begun;
}

/* One more call; whether so many in sequence make it likely that more come. */
static bool is_due(struct relaxed *relaxed)
{
	return atomic_fetch_add_explicit(&relaxed->run, 1, memory_order_relaxed) >=
	       relaxed->patience;
}

bool relaxed_is(struct relaxed *relaxed, int fd, enum relaxed_kind kind)
{
	enum relaxed_kind now = relaxed_kind(relaxed);

	if (now == kind)
		return true;
	return now == RELAXED_NOT && !relaxed_is_broken(relaxed) && is_due(relaxed) &&
	       begin_quietly(relaxed, fd, kind);
}

/* Another thread that found it before is told by `file`; one that is interrupted keeps it. */
void relaxed_end(struct file *file, int fd)
{
	struct relaxed *relaxed;

	relaxed_stop(file, fd, REASON_NONE);
	relaxed = atomic_exchange_explicit(&file->relaxed, NULL, memory_order_acq_rel);
	if (!relaxed)
		return;
	atomic_fetch_sub_explicit(&relaxed_files, 1, memory_order_relaxed);
	if (atomic_load_explicit(&relaxed->holder, memory_order_acquire)) {
		relaxed->file = NULL;
		return;
	}
	atomic_store_explicit(&relaxed->broken, false, memory_order_relaxed);
	relaxed_give_back(relaxed, RELAXED_NOT);
	relaxed->file = NULL;
	bounce_end(&relaxed->gather);
	pool_give(&relaxeds, relaxed);
}

void relaxed_inherit(struct file *file)
{
	struct relaxed *relaxed = atomic_load_explicit(&file->relaxed, memory_order_relaxed);

	atomic_store_explicit(&file->relaxed, NULL, memory_order_relaxed);
	if (!relaxed)
		return;
	atomic_store_explicit(&file->unrelaxed, REASON_INHERITED, memory_order_relaxed);
	atomic_fetch_sub_explicit(&relaxed_files, 1, memory_order_relaxed);
	pool_give(&relaxeds, relaxed);
}

static void stop_if_same(struct file *file, void *data)
{
	const struct statx *st = data;

	if (file->ino == st->stx_ino && file->dev == file_dev(st))
		relaxed_stop(file, -1, REASON_SHARED);
}

void relaxed_opened(int fd)
{
	struct statx st;

	if (relaxed_any() && fd >= 0 && !sys_failed(sys_stat(fd, &st)))
		file_each(stop_if_same, &st);
}

void relaxed_finish(void)
{
	atomic_store_explicit(&finished, true, memory_order_relaxed);
	relaxed_stop_all(REASON_NONE);
}
