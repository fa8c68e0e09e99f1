/* lifecycle.c - what follows when descriptors come and go, and when the process ends. */
#include "engine.h"

#include "direct.h"
#include "engine_growth.h"
#include "log.h"
#include "process.h"
#include "settle.h"
#include "sys.h"

#include <fcntl.h>

/* Its record, once; in a child of fork(2) only of what the child itself has done. */
static void account(struct file *file, int fd)
{
	if (file->finished || (file->inherited && !file_has_moved(file)))
		return;
	log_absorb(file);
	if (file->accounted)
		log_file(file, fd);
}

/*
 * Does everything that is done when the program is finished with a file: releases its pages now
 * or later, and logs it. `last_bytes`: some will still be written by the close itself.
 */
static void finish(struct file *file, int fd, enum stream_end how, bool last_bytes)
{
	uint64_t written = file_to_settle(file);
	enum stream_rest rest;

	if (atomic_load_explicit(&file->line, memory_order_relaxed) != INT64_MAX &&
	    file_has_moved(file))
		engine_ask_again(file, fd);
	rest = stream_end(file, fd, how);
	last_bytes &= written && file_policy(file) == POLICY_DONTNEED;
	if ((rest == STREAM_DIRTY || last_bytes) && !settle_later(file, fd, written) &&
	    rest == STREAM_DIRTY)
		stream_end(file, fd, STREAM_CLOSES_ALONE);
	account(file, fd);
}

/* The slot no longer means the record; the last one that did frees it. */
static void let_go(struct file *file, int fd, bool by_stdio)
{
	if (!file_unref(file))
		return;
	relaxed_end(file, fd);
	direct_leave(file);
	finish(file, fd, STREAM_CLOSES, by_stdio);
	stream_forget(file);
	file_free(file);
}

static void leave(int fd, uintptr_t slot, bool by_stdio)
{
	if (fdtab_is_record(slot) && !process_is_owner())
		return;
	if (fdtab_change(fd, slot, FD_UNKNOWN) && fdtab_is_record(slot))
		let_go((struct file *)slot, fd, by_stdio);
}

/* The slot of a descriptor that exists; FD_UNKNOWN where there is nothing to do. */
static uintptr_t slot_of(int fd)
{
	uintptr_t slot = fd < 0 ? FD_UNKNOWN : fdtab_get(fd);

	if (engine_passive_now())
		return FD_UNKNOWN;
	if (fdtab_is_record(slot))
		engine_meet(fd, slot);
	return slot;
}

bool engine_hides(int fd)
{
	return fd >= 0 && fdtab_get(fd) == FD_HIDDEN && !engine_passive_now() &&
	       engine_may_change() && direct_has(fd);
}

void engine_uncovers(int fd)
{
	if (engine_hides(fd))
		direct_lose((unsigned)fd, (unsigned)fd);
}

void engine_closing(int fd, bool by_stdio)
{
	uintptr_t slot = slot_of(fd);

	if (slot != FD_UNKNOWN)
		leave(fd, slot, by_stdio);
}

static void close_one(int fd, uintptr_t slot, void *data)
{
	(void)data;
	engine_meet(fd, slot);
	leave(fd, slot, false);
}

void engine_closing_range(unsigned first, unsigned last)
{
	if (engine_passive_now())
		return;
	if (engine_may_change())
		direct_lose(first, last);
	fdtab_each(first, last, close_one, NULL);
}

void engine_closed(void)
{
	if (!engine_passive_now())
		settle_some();
}

/* A number that was just opened still had a record: its file was closed behind our back. */
static void forget(int fd, uintptr_t slot)
{
	struct file *file = (struct file *)slot;

	if (fdtab_is_record(slot) && !process_is_owner())
		return;
	if (!fdtab_change(fd, slot, FD_UNKNOWN) || !fdtab_is_record(slot) || !file_unref(file))
		return;
	relaxed_end(file, -1);
	direct_leave(file);
	account(file, -1);
	stream_forget(file);
	file_free(file);
}

void engine_opened(int fd)
{
	uintptr_t slot;
	struct file *file;

	if (engine_passive_now())
		return;
	if (process_is_new())
		engine_may_change(); /* the table is the child's from now on */
	slot = slot_of(fd);
	if (slot != FD_UNKNOWN)
		forget(fd, slot);
	/* A child of vfork(2) forgets it again when it executes a program. */
	if (fd >= 0)
		fdtab_change(fd, FD_UNKNOWN, FD_OPENED);
	relaxed_opened(fd);
	if (fd < 0 || !(log_wanted() || config.any_relaxed))
		return;
	file = engine_file(fd);
	if (file && file_treatment(file)->relaxed)
		relaxed_begin(file, fd);
}

void engine_opened_direct(int fd, bool taken)
{
	struct file *file = engine_file(fd);
	long flags;

	if (!file)
		return;
	if (file_policy(file) != POLICY_BUFFERED) {
		engine_went_direct(file, true);
		return;
	}
	flags = sys_getflags(fd);
	if (!taken && !sys_failed(flags))
		sys_setflags(fd, (int)flags & ~O_DIRECT);
	atomic_store_explicit(&file->hides_direct, true, memory_order_relaxed);
}

void engine_duplicated(int fd, int copy)
{
	uintptr_t slot, old = slot_of(copy);

	if (copy == fd)
		return;
	engine_file(fd);
	slot = slot_of(fd);
	if (old != FD_UNKNOWN)
		forget(copy, old);
	if (!fdtab_is_record(slot) || !process_is_owner())
		return;
	relaxed_settle((struct file *)slot, fd);
	file_ref((struct file *)slot);
	if (!fdtab_change(copy, FD_UNKNOWN, slot))
		file_unref((struct file *)slot);
}

static void give_back(int fd, uintptr_t slot, void *data)
{
	(void)data;
	stream_give_back((struct file *)slot, fd);
}

void engine_child(void)
{
	engine_passes_on();
	if (!engine_passive_now() && engine_may_change())
		fdtab_each(0, FDTAB_LIMIT - 1, give_back, NULL);
}

/* Each record once, by whichever of its descriptors comes first. */
static void finish_live(int fd, uintptr_t slot, void *data)
{
	struct file *file = (struct file *)slot;

	(void)data;
	if (file->finished)
		return;
	finish(file, fd, STREAM_EXITS, false);
	file->finished = true;
}

/* Finishes everything; returns whether it is this process's to finish. */
static bool finish_all(bool ends)
{
	if (engine_passive_now() || !engine_may_change())
		return false;
	if (ends)
		relaxed_finish();
	fdtab_each(0, FDTAB_LIMIT - 1, finish_live, NULL);
	settle_at_end();
	return true;
}

void engine_exit(void)
{
	static _Atomic bool done;

	if (finish_all(true) && log_wanted() &&
	    !atomic_exchange_explicit(&done, true, memory_order_relaxed))
		log_process();
}

void engine_exec(void)
{
	engine_child();
	finish_all(false);
}

static void unfinish(struct file *file, void *data)
{
	(void)data;
	file->finished = false;
	file_reset_counters(file);
}

void engine_exec_failed(void)
{
	if (!engine_passive_now() && engine_may_change())
		file_each(unfinish, NULL);
}
