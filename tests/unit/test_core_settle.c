/* test_core_settle.c - small written files are settled later, and only those that are meant. */
#include "fake_program.h"
#include "settle.h"
#include "unit.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>

enum { SMALL = 64 << 10 };

static struct fake_file *numbered(int i)
{
	char path[32];

	snprintf(path, sizeof(path), "/data/small%d", i);
	return fake_file(path, 0);
}

/* A small file that the program wrote and closed. */
static struct fake_file *written(int i, int naps)
{
	struct fake_file *file = numbered(i);
	int fd = program_open(file, O_WRONLY);

	file->naps = naps;
	program_write(fd, SMALL, -1);
	program_close(fd);
	return file;
}

/* Settles all; no descriptor is left behind. */
static void settle(void)
{
	settle_all();
	ck_assert_int_eq(fake.hidden, 0);
}

static void expect_untouched(const struct fake_file *file)
{
	ck_assert_int_eq(fake_step_of(CALL_writeout, file), -1);
	ck_assert_int_eq(fake_step_of(CALL_advise, file), -1);
}

START_TEST(close_does_not_wait_for_a_small_file)
{
	/* Expects no nap at close, and nothing cached or open once the list is settled. */
	struct fake_file *file;

	program_begin(NULL, NULL);
	file = written(0, 3);
	ck_assert_uint_eq(fake.calls[CALL_sleep], 0);
	ck_assert_int_eq(file->dirty, SMALL);
	settle();
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(exit_settles_what_is_left)
{
	/* Expects the end of the process to settle the list. */
	struct fake_file *file;

	program_begin(NULL, NULL);
	file = written(0, 3);
	engine_exit();
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(all_write_outs_start_before_the_first_wait)
{
	/* Expects no cachestat of any file before the last write-out has begun. */
	struct fake_file *first, *last;
	int step;

	program_begin(NULL, NULL);
	first = written(0, 3);
	written(1, 3);
	last = written(2, 3);
	fake.steps = 0;
	settle();
	step = fake_step_of(CALL_writeout, last);
	ck_assert_int_ge(step, 0);
	ck_assert_int_gt(fake_step_of(CALL_cachestat, first), step);
	ck_assert_int_gt(fake_step_of(CALL_cachestat, NULL), step);
}
END_TEST

START_TEST(batch_is_settled_when_the_next_is_full)
{
	/* Expects nothing to be waited for when 64 files are there, and the first 64 to go at 128.
	 */
	struct fake_file *first;

	program_begin(NULL, NULL);
	first = written(0, 1);
	for (int i = 1; i < 127; i++)
		written(i, 1);
	ck_assert_int_eq(first->own, SMALL);
	written(127, 1);
	ck_assert_int_eq(first->own, 0);
}
END_TEST

START_TEST(full_list_takes_no_more)
{
	/* Expects 256 files to be remembered and the next to be refused. */
	struct fake_file *file = fake_file("/data/x", SMALL);
	int fd = fake_open(file, O_WRONLY), taken = 0;
	struct file *record;
	struct statx st;
	uint64_t bytes;

	program_begin(NULL, NULL);
	sys_stat(fd, &st);
	record = file_new(&st);
	while (taken < 300 && settle_later(record, fd, 1))
		taken++;
	ck_assert_int_eq(taken, 256);
	ck_assert_int_ge(settle_claim(record->dev, record->ino, &bytes), 0);
	ck_assert(settle_later(record, fd, 1));
}
END_TEST

START_TEST(name_that_is_too_long_is_refused)
{
	/* Expects a path that does not fit, or none at all, not to be remembered. */
	struct fake_file *file = fake_file("/data/x", SMALL);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_WRONLY);
	snprintf(file->path, sizeof(file->path), "/%0240d", 1);
	ck_assert(!settle_later(engine_file(fd), fd, 1));
	snprintf(file->path, sizeof(file->path), "pipe:[1]");
	ck_assert(!settle_later(engine_file(fd), fd, 1));
}
END_TEST

START_TEST(reopened_file_is_claimed)
{
	/* Expects a file that is opened again to leave the list, its pages still the program's. */
	struct fake_file *file;
	int fd;

	program_begin(NULL, NULL);
	file = written(0, 0);
	fd = program_open(file, O_RDONLY);
	fake.steps = 0;
	settle();
	expect_untouched(file);
	program_read_all(fd, 4096, 0, file->size);
	program_close(fd);
	settle();
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(reopened_file_that_is_only_looked_at_goes_back)
{
	/* Expects what was written to be settled, and not waited for at the second close. */
	struct fake_file *file;
	int fd;

	program_begin(NULL, NULL);
	file = written(0, 3);
	fd = program_open(file, O_RDONLY);
	ck_assert_ptr_nonnull(engine_file(fd));
	program_close(fd);
	ck_assert_uint_eq(fake.calls[CALL_sleep], 0);
	settle();
	ck_assert_int_eq(file->dirty, 0);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(reopened_file_that_is_streamed_goes)
{
	/* Expects what the program wrote and reads again not to be taken for somebody else's. */
	struct fake_file *file = numbered(0);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_WRONLY);
	program_write_all(fd, SMALL, 0, 3 * MIB);
	program_close(fd);
	ck_assert_int_eq(file->own, 3 * MIB);
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, SMALL, 0, 3 * MIB);
	program_close(fd);
	settle();
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(file_reopened_twice_is_not_waited_for)
{
	/* Expects neither close to wait, and what was written to be settled. */
	struct fake_file *file;
	int first, second;

	program_begin(NULL, NULL);
	file = written(0, 3);
	first = program_open(file, O_RDONLY);
	ck_assert_ptr_nonnull(engine_file(first));
	second = program_open(file, O_RDONLY);
	ck_assert_ptr_nonnull(engine_file(second));
	program_close(first);
	program_close(second);
	ck_assert_uint_eq(fake.calls[CALL_sleep], 0);
	settle();
	ck_assert_int_eq(file->dirty, 0);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(child_leaves_what_its_parent_owes)
{
	/* Expects a child of fork(2) not to settle what the parent wrote and opened again. */
	struct fake_file *file;

	program_begin(NULL, NULL);
	file = written(0, 3);
	ck_assert_ptr_nonnull(engine_file(program_open(file, O_RDONLY)));
	fake_fork();
	ck_assert(engine_may_change());
	fake.steps = 0;
	engine_exit();
	expect_untouched(file);
}
END_TEST

START_TEST(another_file_of_the_same_name_is_not_touched)
{
	/* Expects the file that took over the name to keep its pages, clean and dirty. */
	struct fake_file *old, *other;

	program_begin(NULL, NULL);
	old = written(0, 0);
	other = numbered(0);
	other->size = SMALL;
	fake_warm(other, 0, SMALL);
	other->locked = true;
	fake.steps = 0;
	settle();
	expect_untouched(old);
	expect_untouched(other);
	ck_assert_int_eq(fake_bytes(other, CACHED, 0, SMALL), SMALL);
}
END_TEST

static struct fake_file *taker;
static bool locked;

/* Another file takes the name once it has been looked at. */
static void take_the_name(enum fake_call call)
{
	if (call != CALL_openat)
		return;
	fake.before = NULL;
	taker = numbered(0);
	taker->size = SMALL;
	fake_warm(taker, 0, SMALL);
	taker->locked = locked;
}

START_TEST(file_that_takes_the_name_just_then_keeps_its_pages_and_locks)
{
	/* Expects it to be closed again, but where that would drop the program's locks. */
	for (int i = 0; i < 2; i++) {
		locked = i;
		program_begin(NULL, NULL);
		written(0, 0);
		fake.steps = 0;
		fake.before = take_the_name;
		settle_all();
		ck_assert_ptr_nonnull(taker);
		ck_assert_int_eq(fake.hidden, locked);
		expect_untouched(taker);
		ck_assert_int_eq(fake_bytes(taker, CACHED, 0, SMALL), SMALL);
	}
}
END_TEST

START_TEST(renamed_file_is_found)
{
	/* Expects a closed file to be settled under the name that it was given since. */
	struct fake_file *file;

	program_begin(NULL, NULL);
	file = written(0, 1);
	snprintf(file->path, sizeof(file->path), "/data/final");
	engine_renamed(AT_FDCWD, "/data/final");
	settle_all();
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(unlinked_file_is_forgotten)
{
	/* Expects a file without its name to leave the list. */
	struct fake_file *file;
	uint64_t bytes;

	program_begin(NULL, NULL);
	file = written(0, 0);
	file->unlinked = true;
	settle();
	ck_assert_int_lt(settle_claim(8ULL << 32 | file->minor, file->ino, &bytes), 0);
}
END_TEST

START_TEST(file_that_the_program_has_open_is_not_opened)
{
	/* Expects no descriptor of a live file: its close would drop the program's locks. */
	struct fake_file *file = numbered(0);
	int fd, other;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDWR);
	other = program_open(file, O_RDWR);
	program_write(fd, SMALL, -1);
	program_close(fd);
	file->locked = true;
	engine_locks(other);
	settle();
	ck_assert_uint_eq(fake.calls[CALL_openat], 0);
}
END_TEST

START_TEST(lock_on_an_unknown_file_ends_all_settling)
{
	/* Expects no file to be opened again once a file without a record is locked. */
	struct fake_file *file, *unknown;
	int fd;

	program_begin("/data/small* dontneed", NULL);
	file = written(0, 0);
	unknown = fake_file("/etc/lock", SMALL);
	fd = program_open(unknown, O_RDWR);
	ck_assert(!engine_file(fd));
	engine_locks(fd);
	ck_assert(settle_refrains());
	file->locked = true;
	settle();
	ck_assert_uint_eq(fake.calls[CALL_openat], 0);
	fd = program_open(file, O_WRONLY);
	ck_assert(!settle_later(engine_file(fd), fd, 1));
}
END_TEST

START_TEST(child_of_a_fork_has_an_empty_list)
{
	/* Expects the parent's files to be the parent's to settle, and to fill no list. */
	struct fake_file *parents, *own;

	program_begin(NULL, NULL);
	parents = written(0, 0);
	for (int i = 1; i < 31; i++)
		written(i, 0);
	fake_fork();
	ck_assert(engine_may_change());
	fake.steps = 0;
	own = written(31, 3);
	ck_assert_uint_eq(fake.calls[CALL_sleep], 0);
	engine_exit();
	expect_untouched(parents);
	ck_assert_int_eq(own->own, 0);
}
END_TEST

START_TEST(hot_part_of_a_settled_file_stays)
{
	/* Expects what was cached before a small write to stay when it is settled. */
	struct fake_file *file = fake_file("/data/ledger", 4 * SMALL);
	int fd;

	program_begin(NULL, NULL);
	fake_warm(file, 0, file->size);
	fd = program_open(file, O_WRONLY);
	program_write(fd, SMALL, 4 * SMALL);
	program_close(fd);
	settle();
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 4 * SMALL);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(reopened_file_that_was_hot_is_settled_at_exit)
{
	/* Expects what was written behind the hot part to go, with the file still open. */
	struct fake_file *file = fake_file("/data/ledger", MIB);
	int fd;

	program_begin(NULL, NULL);
	fake_warm(file, 0, file->size);
	fd = program_open(file, O_WRONLY);
	program_write(fd, SMALL, MIB);
	program_close(fd);
	ck_assert_ptr_nonnull(engine_file(program_open(file, O_RDONLY)));
	engine_exit();
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), MIB);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

UNIT_MAIN("core_settle", close_does_not_wait_for_a_small_file, exit_settles_what_is_left,
	  all_write_outs_start_before_the_first_wait, batch_is_settled_when_the_next_is_full,
	  full_list_takes_no_more, name_that_is_too_long_is_refused, reopened_file_is_claimed,
	  reopened_file_that_is_only_looked_at_goes_back, reopened_file_that_is_streamed_goes,
	  file_reopened_twice_is_not_waited_for, child_leaves_what_its_parent_owes,
	  reopened_file_that_was_hot_is_settled_at_exit,
	  another_file_of_the_same_name_is_not_touched,
	  file_that_takes_the_name_just_then_keeps_its_pages_and_locks, unlinked_file_is_forgotten,
	  renamed_file_is_found, file_that_the_program_has_open_is_not_opened,
	  lock_on_an_unknown_file_ends_all_settling, child_of_a_fork_has_an_empty_list,
	  hot_part_of_a_settled_file_stays)
