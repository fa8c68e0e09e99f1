/* direct_file.c - what is kept of a file for direct I/O: made at first use, held by one, taken
 * down. */
#include "direct_file.h"

#include "fdtab.h"
#include "pool.h"
#include "process.h"
#include "sys.h"

#include <fcntl.h>

enum { NAP_NS = 20000, NAPS_MOST = 100 }; /* until another thread is done */

/* The state of what is kept: one of these, or the thread that has it, by an address of its own. */
enum direct_state { GONE, IDLE, LEFT, LEFT_FOR_LOCKS };

static bool is_held(uintptr_t state)
{
	return state > LEFT_FOR_LOCKS;
}

static struct pool directs = {.size = sizeof(struct direct)};

static struct direct *refuse(struct file *file, enum reason reason)
{
	file_note(file, reason);
	file_set_direct(file, false);
	return NULL;
}

static struct direct *direct_new(struct file *file, int fd)
{
	int64_t block = twin_block(fd, file->dev);
	long flags = sys_getflags(fd);
	struct direct *direct;

	if (sys_failed(flags) || flags & O_PATH)
		return refuse(file, REASON_NO_DIRECT);
	if (!block)
		refuse(file, REASON_NO_DIRECT);
	direct = pool_take(&directs);
	if (!direct)
		return refuse(file, REASON_NO_MEMORY);
	*direct = (struct direct){
		.file = file,
		.readable = (flags & O_ACCMODE) != O_WRONLY,
		.writable = (flags & O_ACCMODE) != O_RDONLY,
		.block = larger(block, 0),
		.moved = true,
		.reader = {.fd = -1},
		.writer = {.fd = -1},
		.plain = {.fd = -1},
	};
	return direct;
}

static bool take(struct direct *direct)
{
	uintptr_t idle = IDLE;

	/* Acquire pairs with direct_release(): all is as its last holder left it. */
	return atomic_compare_exchange_strong_explicit(&direct->state, &idle, process_thread(),
						       memory_order_acquire, memory_order_relaxed);
}

/*
 * Waits for another thread to be done, as the kernel has threads wait for each other that use one
 * offset. Not in a signal handler that interrupted the holder; and not for ever, for the holder
 * may be interrupted by a handler that waits for us.
 */
static bool wait_for(struct direct *direct)
{
	for (int naps = 0; naps < NAPS_MOST; naps++) {
		uintptr_t state = atomic_load_explicit(&direct->state, memory_order_relaxed);

		if (state == process_thread() || (!is_held(state) && state != IDLE))
			return false;
		sys_sleep(NAP_NS);
		if (take(direct))
			return true;
	}
	return false;
}

static void destroy(struct direct *direct, bool locks_matter)
{
	if (direct->flowing)
		pipeline_end(&direct->pipeline);
	bounce_end(&direct->out);
	twin_close(&direct->reader, locks_matter);
	twin_close(&direct->writer, locks_matter);
	twin_close(&direct->plain, locks_matter);
	direct->file = NULL;
	atomic_store_explicit(&direct->state, GONE, memory_order_release);
	pool_give(&directs, direct);
}

/* Destroys what nobody holds; whoever does hold it will do so. */
static void leave(struct file *file, enum direct_state how)
{
	struct direct *direct = atomic_exchange_explicit(&file->direct, NULL, memory_order_acq_rel);
	uintptr_t state = IDLE;

	if (!direct)
		return;
	while (!atomic_compare_exchange_weak_explicit(&direct->state, &state, how,
						      memory_order_acq_rel, memory_order_acquire))
		if (state != IDLE && !is_held(state))
			return;
	if (state == IDLE)
		destroy(direct, how == LEFT_FOR_LOCKS);
}

/*
 * Whether the number still means the record, after what was done to that: who takes the number
 * from it later will see it done, for either changes the one slot (fdtab_change()).
 */
static bool is_still_of(int fd, const struct file *file)
{
	return fdtab_change(fd, (uintptr_t)file, (uintptr_t)file);
}

/*
 * The file's own; another thread may have been faster. Or one may have closed the number since
 * the caller looked at it: nobody would come to take down what is made now.
 */
static struct direct *made(struct file *file, int fd)
{
	struct direct *direct = direct_new(file, fd), *none = NULL;

	if (!direct)
		return NULL;
	atomic_store_explicit(&direct->state, IDLE, memory_order_relaxed);
	/* Release pairs with the acquire in direct_hold(). */
	if (atomic_compare_exchange_strong_explicit(&file->direct, &none, direct,
						    memory_order_release, memory_order_acquire)) {
		if (is_still_of(fd, file))
			return direct;
		leave(file, LEFT_FOR_LOCKS);
		return NULL;
	}
	atomic_store_explicit(&direct->state, GONE, memory_order_relaxed);
	pool_give(&directs, direct);
	return none;
}

struct direct *direct_hold(struct file *file, int fd)
{
	struct direct *direct = atomic_load_explicit(&file->direct, memory_order_acquire);

	if (!direct && !(direct = made(file, fd)))
		return NULL;
	if (!take(direct) && !wait_for(direct))
		return NULL;
	if (direct->file == file &&
	    atomic_load_explicit(&file->direct, memory_order_relaxed) == direct)
		return direct;
	direct_release(direct);
	return NULL;
}

/* Also for another thread: who settles a relaxed file gives back what was held for that. */
void direct_release(struct direct *direct)
{
	uintptr_t state = atomic_load_explicit(&direct->state, memory_order_acquire);

	if (!is_held(state) ||
	    !atomic_compare_exchange_strong_explicit(&direct->state, &state, IDLE,
						     memory_order_release, memory_order_acquire))
		destroy(direct, state == LEFT_FOR_LOCKS);
}

void direct_leave(struct file *file)
{
	leave(file, LEFT);
}

static void leave_for_lock(struct file *file, void *data)
{
	const struct file *locked = data;

	if (file->ino == locked->ino && file->dev == locked->dev)
		leave(file, LEFT_FOR_LOCKS);
}

void direct_leave_for_lock(struct file *file)
{
	file_each(leave_for_lock, file);
}

void direct_inherit(struct file *file)
{
	struct direct *direct = atomic_exchange_explicit(&file->direct, NULL, memory_order_relaxed);

	if (!direct)
		return;
	direct->flowing = false;
	direct->out = (struct bounce){0};
	destroy(direct, false);
}

void direct_forked(void)
{
	inflight_forked();
	bounce_forked();
}

void direct_moved(struct file *file)
{
	struct direct *direct = atomic_load_explicit(&file->direct, memory_order_acquire);

	if (direct)
		atomic_store_explicit(&direct->moved, true, memory_order_relaxed);
}
