/* units.c - the ring of units a stream has met lately, and drop-behind that respects it. */
#include "units.h"

#include "sys.h"

#include <fcntl.h>

enum { NAP_FIRST = 100000 }; /* ns; the naps of pages_release() double */

void units_clear(struct file *file)
{
	for (int i = 0; i < UNITS; i++)
		file->units[i].index = -1;
}

static struct unit *unit_at(struct file *file, int64_t index)
{
	return &file->units[index % UNITS];
}

/* What is taken of a unit that nobody asked about. */
static enum owner default_owner(const struct file *file)
{
	return file_before(file) == BEFORE_NOTHING ? OWNER_US : OWNER_THEM;
}

static void unit_set(struct file *file, int64_t index, enum owner owner)
{
	unit_at(file, index)->index = index;
	unit_at(file, index)->owner = owner;
	file->keeps |= owner != OWNER_US;
}

static void unit_ask(struct file *file, int fd, int64_t index)
{
	int64_t cached = residency_bytes(file->probe, fd, index * UNIT, UNIT);

	if (file->probe == PROBE_NONE &&
	    (cached = residency_by_reading(fd, index * UNIT, UNIT)) < 0)
		cached = 0;
	if (cached <= 0) {
		unit_set(file, index, cached < 0 ? default_owner(file) : OWNER_US);
		return;
	}
	unit_set(file, index, OWNER_MIXED);
	if (cached == UNIT || !residency_map(file->probe, fd, index * UNIT, UNIT,
					     unit_at(file, index)->theirs, UNIT_WORDS))
		unit_set(file, index, OWNER_THEM);
}

/* Only the last UNITS of a long range can be remembered, so only those are noted. */
void units_own(struct file *file, int64_t from, int64_t to)
{
	int64_t first = larger(from / UNIT, align_up(to, UNIT) / UNIT - UNITS);

	for (int64_t i = first; i * UNIT < to; i++)
		if (unit_at(file, i)->index != i)
			unit_set(file, i, OWNER_US);
}

/*
 * Whether what is cached of the file can be ours although this stream has not asked for it:
 * nothing was cached before, and this process writes it, advises it, has it open twice, reads it by
 * threads at once or jumped in it.
 */
static bool brought_by_us(const struct file *file)
{
	return file_before(file) == BEFORE_NOTHING &&
	       (file_counted(file, COUNT_written) ||
		atomic_load_explicit(&file->own_ahead, memory_order_relaxed) ||
		atomic_load_explicit(&file->crowded, memory_order_relaxed) ||
		file->reading.reach == REACH_ALL ||
		atomic_load_explicit(&file->shared, memory_order_relaxed));
}

/* The start of the first unit of [from, to) that is not known yet; `to` or more where all are. */
static int64_t first_unknown(struct file *file, int64_t from, int64_t to)
{
	int64_t i = from / UNIT;

	while (i * UNIT < to && unit_at(file, i)->index == i)
		i++;
	return i * UNIT;
}

void units_learn(struct file *file, int fd, int64_t from, int64_t to)
{
	from = first_unknown(file, from, to);
	to = align_up(to, UNIT);
	if (from >= to)
		return;
	if (!file_treatment(file)->keep || brought_by_us(file) ||
	    residency_bytes(file->probe, fd, from, to - from) == 0) {
		units_own(file, from, to);
		return;
	}
	for (int64_t i = from / UNIT; i * UNIT < to; i++)
		if (unit_at(file, i)->index != i)
			unit_ask(file, fd, i);
}

/* Theirs is only what was so before and is there now. */
static void unit_regain(const struct file *file, int fd, struct unit *unit)
{
	uint64_t now[UNIT_WORDS];

	if (unit->owner == OWNER_US ||
	    !residency_map(file->probe, fd, unit->index * UNIT, UNIT, now, UNIT_WORDS))
		return;
	for (int i = 0; i < UNIT_WORDS; i++)
		unit->theirs[i] = unit->owner == OWNER_THEM ? now[i] : unit->theirs[i] & now[i];
	unit->owner = OWNER_MIXED;
}

void units_regain(struct file *file, int fd, int64_t from, int64_t to)
{
	for (int64_t i = from / UNIT; i * UNIT < to; i++)
		if (unit_at(file, i)->index == i)
			unit_regain(file, fd, unit_at(file, i));
}

bool pages_release(enum probe probe, int fd, int64_t from, int64_t to, long patience)
{
	int64_t left;

	if (from >= to)
		return true; /* length 0 would be all up to the end */
	for (long nap = NAP_FIRST;; nap *= 2) {
		sys_advise(fd, from, to - from, POSIX_FADV_DONTNEED);
		left = residency_bytes(probe, fd, from, to - from);
		if (left <= 0 || nap > patience)
			return left <= 0;
		sys_sleep(nap);
	}
}

static void release(struct file *file, int fd, int64_t from, int64_t to)
{
	int64_t before = 0;

	if (from >= to)
		return;
	if (file->accounted)
		before = residency_bytes(file->probe, fd, from, to - from);
	sys_advise(fd, from, to - from, POSIX_FADV_DONTNEED);
	if (before > 0)
		file_count(file, COUNT_dropped,
			   (uint64_t)(before - residency_bytes(file->probe, fd, from, to - from)));
}

/* Releases the pages of a unit of mixed owners that are not theirs, run by run. */
static void release_mixed(struct file *file, int fd, const struct unit *unit, int64_t from,
			  int64_t to)
{
	int64_t start = unit->index * UNIT, run = from;

	for (int64_t at = from; at < to; at += PAGE) {
		int64_t page = (at - start) / PAGE;

		if (unit->theirs[page / 64] >> page % 64 & 1) {
			release(file, fd, run, at);
			run = at + PAGE;
		}
	}
	release(file, fd, run, to);
}

/* Where the next unit begins, from `at` on, that the record knows of; at most `to`. */
static int64_t next_known(const struct file *file, int64_t at, int64_t to)
{
	for (int i = 0; i < UNITS; i++)
		if (file->units[i].index * UNIT > at)
			to = smaller(to, file->units[i].index * UNIT);
	return to;
}

void units_release(struct file *file, int fd, int64_t from, int64_t to)
{
	/* The folio that the last call could not drop may start up to FOLIO_MAX earlier. */
	int64_t start = file->keeps ? from : align_down(from, FOLIO_MAX), run = start, end;

	for (int64_t at = start; at < to; at = end) {
		const struct unit *unit = unit_at(file, at / UNIT);
		bool known = unit->index == at / UNIT;
		enum owner owner = known ? unit->owner : default_owner(file);

		end = known ? smaller(align_down(at, UNIT) + UNIT, to) : next_known(file, at, to);
		if (owner == OWNER_US)
			continue;
		release(file, fd, run, at);
		if (owner == OWNER_MIXED)
			release_mixed(file, fd, unit, at, end);
		run = end;
	}
	release(file, fd, run, to);
}
