/* test_core_batch.c - small files that were closed go in batches, a few of them open at a time. */
#include "engine.h"
#include "fake_program.h"
#include "settle.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

enum { SMALL = 64 << 10, BATCH = 64 };

static struct fake_file *batch[BATCH];
static bool first_mapped;
static int most_hidden;

static void note_hidden(enum fake_call call)
{
	(void)call;
	if (fake.hidden > most_hidden)
		most_hidden = fake.hidden;
}

/* The program writes and closes the files of a batch; the last close starts it. */
static void write_batch(int naps)
{
	program_begin(NULL, NULL);
	for (int i = 0; i < BATCH; i++) {
		char path[32];
		int fd;

		snprintf(path, sizeof(path), "/data/small%d", i);
		batch[i] = fake_file(path, 0);
		batch[i]->naps = naps;
		fd = program_open(batch[i], O_WRONLY);
		program_write(fd, SMALL, -1);
		if (first_mapped && i == 0)
			engine_mapped(engine_file(fd), false);
		program_close(fd);
	}
}

/* How many of the batch's files have nothing cached. */
static int gone(void)
{
	int n = 0;

	for (int i = 0; i < BATCH; i++)
		n += !batch[i]->own;
	return n;
}

START_TEST(what_is_written_by_then_goes_with_its_own_batch)
{
	/* Expects a fast device's files to be opened once each, a few of them at a time. */
	fake.before = note_hidden;
	write_batch(0);
	ck_assert_int_eq(gone(), BATCH);
	engine_exit();
	ck_assert_uint_eq(fake.calls[CALL_openat], BATCH);
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_int_gt(most_hidden, 8);
	ck_assert_int_le(most_hidden, 16);
}
END_TEST

START_TEST(what_is_not_written_by_then_goes_at_the_end)
{
	/* Expects a slow device to keep nobody waiting, and its files to go when all ends. */
	write_batch(3);
	ck_assert_uint_eq(fake.calls[CALL_sleep], 0);
	ck_assert_int_eq(gone(), 0);
	ck_assert_int_eq(fake.hidden, 0);
	engine_exit();
	ck_assert_int_eq(gone(), BATCH);
}
END_TEST

START_TEST(what_is_mapped_still_is_looked_at_again)
{
	/* Expects pages that come in through a mapping after the close to go at the end. */
	first_mapped = true;
	write_batch(0);
	fake_warm(batch[0], 0, SMALL);
	engine_exit();
	ck_assert_int_eq(fake_bytes(batch[0], CACHED, 0, SMALL), 0);
}
END_TEST

/* The process may have four descriptors more. */
static bool numbers_are_out(enum fake_call call, const struct fake_description *on, long *result)
{
	(void)on;
	*result = -EMFILE;
	return call == CALL_openat && fake.hidden == 4;
}

START_TEST(who_runs_out_of_numbers_closes_first)
{
	/* Expects every file to go where only four can be open. */
	fake.fails = numbers_are_out;
	write_batch(0);
	ck_assert_int_eq(gone(), BATCH);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

/* The process forks while several files are open; the rest happens in the child. */
static void fork_in_the_middle(enum fake_call call)
{
	if (call != CALL_openat || fake.hidden < 4)
		return;
	fake.before = NULL;
	fake_fork();
	ck_assert(engine_may_change());
	ck_assert_int_le(fake.hidden, 1); /* the one that no entry has yet */
}

START_TEST(child_keeps_none_of_them_open)
{
	/* Expects the copies of what another thread had open to be closed, each once. */
	fake.before = fork_in_the_middle;
	write_batch(0);
	ck_assert_ptr_null(fake.before);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

/* The program opens the first file of the batch again, and locks it, while it is open. */
static void lock_the_first(enum fake_call call)
{
	int fd;

	if (call != CALL_writeout || !fake.hidden)
		return;
	fake.before = NULL;
	fd = program_open(batch[0], O_RDONLY);
	ck_assert_ptr_nonnull(engine_file(fd));
	batch[0]->locked = true;
	engine_locks(fd);
}

START_TEST(file_that_is_locked_meanwhile_is_not_closed)
{
	/* Expects the lock to be there still: the fake kernel ends the test of who drops it. */
	fake.before = lock_the_first;
	write_batch(0);
	ck_assert_ptr_null(fake.before);
	ck_assert_int_eq(fake.hidden, 1);
}
END_TEST

UNIT_MAIN("core_batch", what_is_written_by_then_goes_with_its_own_batch,
	  what_is_not_written_by_then_goes_at_the_end, what_is_mapped_still_is_looked_at_again,
	  who_runs_out_of_numbers_closes_first, child_keeps_none_of_them_open,
	  file_that_is_locked_meanwhile_is_not_closed)
