/*
 * engine.h - what the libc surface asks: is this descriptor mine, and what follows from a call.
 *
 * The engine works beside the program's call: a wrapper tells it what is about to happen or has
 * happened and forwards the call untouched. What carries out a call in the kernel's place says so
 * by its verdict (verdict.h). Everything may be called from signal handlers, vfork children and
 * threads being cancelled; nothing sets errno.
 */
#ifndef NOCACHE_ENGINE_H
#define NOCACHE_ENGINE_H

#include "config.h"
#include "direct.h"
#include "fdtab.h"
#include "file.h"
#include "relaxed.h"
#include "stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts the engine; from then on descriptors are looked at. */
void engine_begin(struct environment *environment);

/* No system call of our own from now on, in this process: it enters a sandbox. */
void engine_passive(bool passive);
extern _Atomic bool engine_is_passive;

static inline bool engine_passive_now(void)
{
	return atomic_load_explicit(&engine_is_passive, memory_order_relaxed);
}

/* The record behind a slot that is not FD_ALONE; adopts the descriptor where it is unknown. */
struct file *engine_meet(int fd, uintptr_t slot);

/* The record of a descriptor, or NULL where it is left alone. */
static inline struct file *engine_file(int fd)
{
	uintptr_t slot = fdtab_get(fd);

	if (slot == FD_ALONE || engine_passive_now())
		return NULL;
	return engine_meet(fd, slot);
}

/* A call returned a new descriptor (or < 0, which is ignored). */
void engine_opened(int fd);

/*
 * The program asked for O_DIRECT, which the rule of the new descriptor may take away. `taken`:
 * the kernel was not asked for it in the first place.
 */
void engine_opened_direct(int fd, bool taken);

/*
 * The kernel gave the program the lowest number that was free. Before the numbers of the shim's own
 * are all that is left, they are the program's.
 */
void engine_crowded(void);
static inline void engine_numbered(int fd)
{
	if (fd >= DIRECT_CROWDED)
		engine_crowded();
}

/* `copy` now means what `fd` means. */
void engine_duplicated(int fd, int copy);

/*
 * A descriptor, or all in [first, last], are about to be closed. `by_stdio`: what its FILE still
 * buffers will be written by the close itself.
 */
void engine_closing(int fd, bool by_stdio);
void engine_closing_range(unsigned first, unsigned last);

/*
 * Whether `fd` is a descriptor of the shim's own, which the program is shown as free; it is about
 * to be closed or replaced after all.
 */
bool engine_hides(int fd);
void engine_uncovers(int fd);

/* Written files that were closed may be due. */
void engine_closed(void);

/* The process is about to exit, or to execute another program; that did not work out. */
void engine_exit(void);
void engine_exec(void);
void engine_exec_failed(void);

/*
 * Whether records and slots are this process's to change. The child of a fork takes over its
 * copies here; a vfork child gets false.
 */
bool engine_may_change(void);

/* The program takes a POSIX record lock: no descriptor of that file may be closed unseen. */
void engine_locks(int fd);

/* The program gave an advice of posix_fadvise(2), or set or cleared O_DIRECT, on its descriptor. */
void engine_advised(struct file *file, int fd, int advice);
void engine_went_direct(struct file *file, bool direct);

/* The program may set the offset of the file. */
void engine_seeks(struct file *file);

/* The program set the size of the file, or had space allocated for it. */
void engine_resized(int fd);

/* The program mapped the file; it unmapped `n` bytes of something. */
void engine_mapped(struct file *file, bool writable);
void engine_unmapped(size_t n);

/* The program gave a file this name; `dir` as in openat(2). */
void engine_renamed(int dir, const char *path);

/*
 * What is not settled of relaxed files (relaxed.h) is settled: of the file of a descriptor, 0 or
 * -errno; of all. Or it is so for good, since libc or another process will use the file, too.
 */
int engine_settle(int fd);
void engine_settle_all(void);
void engine_shares(int fd, enum reason reason);
void engine_shares_all(void);

/* A child will have what is open here, too; implies engine_shares_all(). */
void engine_passes_on(void);

/*
 * A child is made with these flags of clone(2). One that has memory of its own but the same table
 * of descriptors would close, and leave behind, what is the shim's: then nothing of it is open
 * there.
 */
void engine_shares_numbers(uint64_t flags);

/* A child will inherit descriptors, maybe without the shim: the kernel's readahead is its own. */
void engine_child(void);

/* What is done with a descriptor and why, for nocache.h; false where `fd` is not open. */
bool engine_status(int fd, enum policy *policy, enum reason *reason);

/* The program is about to read `n` bytes at `offset` (-1: at the description's own). */
static inline void engine_reads(struct file *file, int fd, int64_t offset, size_t n)
{
	stream_will_read(file, fd, offset, n);
}

/*
 * It read `n` bytes by one call (n <= 0 counts as a call only); or it wrote `n` bytes that ended
 * at `end` (-1: at the description's offset). Both return `n`.
 */
static inline ssize_t engine_did_read(struct file *file, int fd, ssize_t n)
{
	file_count(file, COUNT_reads, 1);
	if (n > 0) {
		file_count(file, COUNT_read, (uint64_t)n);
		stream_did_read(file, (size_t)n);
	} else if (n == 0) {
		stream_met_end(file, fd);
	}
	return n;
}

static inline ssize_t engine_did_write(struct file *file, int fd, int64_t end, ssize_t n)
{
	file_count(file, COUNT_writes, 1);
	if (n > 0) {
		file_count(file, COUNT_written, (uint64_t)n);
		stream_did_write(file, fd, end, (size_t)n);
	}
	return n;
}

#endif
