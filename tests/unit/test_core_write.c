/* test_core_write.c - what a writing program holds and leaves of a file in the page cache. */
#include "fake_program.h"
#include "settle.h"
#include "unit.h"
#include "writeback.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

enum { WINDOW = 8 << 20, BLOCK = 128 << 10, FOREVER = 1 << 30 };

static struct fake_file *new_file(int naps)
{
	struct fake_file *file = fake_file("/data/new", 0);

	file->naps = naps;
	return file;
}

/* Writes `size` bytes by blocks; the descriptor stays open. */
static int write_some(struct fake_file *file, size_t block, int64_t size)
{
	int fd = program_open(file, O_WRONLY);

	program_write_all(fd, block, 0, size);
	return fd;
}

static void expect_bounded(const struct fake_file *file, int64_t bound)
{
	ck_assert_int_gt(file->dirty_peak, 0);
	ck_assert_int_le(file->dirty_peak, bound);
	program_expect_bounded(file, bound);
}

START_TEST(sequential_write_holds_a_window_and_leaves_nothing)
{
	/* Expects at most 8 MiB and one write dirty or cached, and 0 after close. */
	static const size_t blocks[] = {512, 4096, 64000, 128 << 10, 1 << 20, 9 << 20};

	program_begin(NULL, NULL);
	for (int i = 0; i < 6; i++) {
		struct fake_file *file = new_file(3);

		program_close(write_some(file, blocks[i], 60 * MIB + 1234));
		expect_bounded(file, WINDOW + (int64_t)blocks[i]);
		ck_assert_int_eq(fake_bytes(file, CACHED, 0, file->size), 0);
	}
}
END_TEST

START_TEST(wait_leaves_the_error_to_the_program)
{
	/* Expects no sync_file_range wait and no fsync where cachestat tells what is written. */
	struct fake_file *file = new_file(2);

	program_begin(NULL, NULL);
	program_close(write_some(file, BLOCK, 20 * MIB));
	ck_assert_uint_eq(fake.calls[CALL_writeout_wait] + fake.calls[CALL_datasync], 0);
	ck_assert_uint_gt(fake.calls[CALL_sleep], 0);
}
END_TEST

/* Writes a file whose write-out fails: the error is given back, once. */
static void expect_error_once(struct fake_file *file)
{
	struct file *record;
	int fd;

	file->write_error = -EIO;
	fd = write_some(file, BLOCK, 20 * MIB);
	record = engine_file(fd);
	ck_assert_int_eq(file->write_error, 0);
	ck_assert_int_eq(writeback_error(record), -EIO);
	ck_assert_int_eq(writeback_error(record), 0);
	program_close(fd);
	expect_bounded(file, WINDOW + BLOCK);
}

START_TEST(error_that_a_wait_took_is_given_back_once)
{
	/* Expects the EIO that sync_file_range or fdatasync took, and then none. */
	struct fake_file *old = new_file(2), *overlay = new_file(2);

	overlay->blind = true;
	overlay->fstype = 0x794c7630;
	overlay->minor = 7;
	program_begin(NULL, NULL);
	expect_error_once(overlay);
	ck_assert_uint_eq(fake.calls[CALL_writeout_wait], 0);
	fake_fault(CALL_cachestat, 1, FOREVER, -ENOSYS);
	expect_error_once(old);
	ck_assert_uint_gt(fake.calls[CALL_writeout_wait], 0);
}
END_TEST

START_TEST(stubborn_file_system_is_given_up)
{
	/* Expects naps of about a second in all where nothing is ever written, and its reason. */
	struct fake_file *file = new_file(NEVER);
	int fd;

	program_begin("* dontneed", NULL);
	fd = write_some(file, BLOCK, 40 * MIB);
	ck_assert_int_eq(program_reason(fd), REASON_STAYS_DIRTY);
	program_close(fd);
	ck_assert_int_gt(fake.steady, 1000000000);
	ck_assert_int_lt(fake.steady, 1200000000);
	ck_assert_int_eq(file->own, 40 * MIB);
}
END_TEST

START_TEST(slow_file_system_is_waited_for)
{
	/* Expects patience with a disk that takes half a second for each window. */
	struct fake_file *file = new_file(5000);

	program_begin("* dontneed", NULL);
	program_close(write_some(file, BLOCK, 20 * MIB));
	expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(interrupted_write_out_is_started_again)
{
	/* Expects sync_file_range's EINTR to change nothing. */
	struct fake_file *file = new_file(1);

	program_begin(NULL, NULL);
	fake_fault(CALL_writeout, 3, 5, -EINTR);
	program_close(write_some(file, BLOCK, 20 * MIB));
	expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(hot_file_written_in_place_stays_hot)
{
	/* Expects what was cached before to stay, and what was added to go. */
	struct fake_file *file = fake_file("/data/hot", 20 * MIB);

	file->naps = 1;
	program_begin(NULL, NULL);
	fake_warm(file, 0, file->size);
	program_close(write_some(file, BLOCK, 30 * MIB));
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 20 * MIB);
	expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(hot_part_of_a_file_written_in_place_stays)
{
	/* Expects the half that was cached before to stay. */
	struct fake_file *file = fake_file("/data/half", 20 * MIB);

	program_begin(NULL, NULL);
	fake_warm(file, 10 * MIB, file->size);
	program_close(write_some(file, BLOCK, 30 * MIB));
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 10 * MIB);
}
END_TEST

START_TEST(random_writes_are_left_alone_until_close)
{
	/* Expects no advice and no write-out while writes jump about, and nothing after close. */
	struct fake_file *file = fake_file("/data/db", 100 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDWR);
	for (int64_t i = 1; i <= 500; i++)
		program_write(fd, 16384, i * 2654435761 % 6400 * (16 * KIB));
	ck_assert_uint_eq(fake.calls[CALL_advise] + fake.calls[CALL_writeout], 0);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(appended_file_leaves_nothing)
{
	/* Expects a stream that begins at the end of a file to be bounded, too. */
	struct fake_file *file = fake_file("/data/log", 30 * MIB);
	int fd;

	file->naps = 1;
	program_begin(NULL, NULL);
	fd = program_open(file, O_WRONLY | O_APPEND);
	for (int i = 0; i < 240; i++)
		program_write(fd, BLOCK, -1);
	program_close(fd);
	ck_assert_int_eq(file->size, 60 * MIB);
	expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(bytes_appended_to_a_hot_file_leave_nothing)
{
	/* Expects what was hot to stay and nothing of what was added to. */
	struct fake_file *file = fake_file("/data/log", 20 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fake_warm(file, 0, file->size);
	fd = program_open(file, O_WRONLY | O_APPEND);
	for (int i = 0; i < 160; i++)
		program_write(fd, BLOCK, -1);
	program_close(fd);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 20 * MIB);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(full_units_are_written_out_as_they_fill)
{
	/* Expects write-out to begin long before the first wait. */
	struct fake_file *file = new_file(3);

	program_begin(NULL, NULL);
	write_some(file, BLOCK, 3 * MIB);
	ck_assert_uint_gt(fake.calls[CALL_writeout], 0);
	ck_assert_uint_eq(fake.calls[CALL_sleep], 0);
	ck_assert_int_le(file->dirty, MIB);
}
END_TEST

START_TEST(failed_write_is_counted_as_a_call_only)
{
	/* Expects ENOSPC to count no byte. */
	struct file *record;
	int fd;

	program_begin(NULL, NULL);
	fd = write_some(new_file(0), BLOCK, BLOCK);
	record = engine_file(fd);
	ck_assert_int_eq(engine_did_write(record, fd, -1, -1), -1);
	ck_assert_uint_eq(file_counted(record, COUNT_writes), 2);
	ck_assert_uint_eq(file_counted(record, COUNT_written), BLOCK);
}
END_TEST

START_TEST(limit_of_file_sizes_stops_write_out)
{
	/* Expects that nothing is written out or dropped under RLIMIT_FSIZE, and the reason. */
	struct fake_file *file = new_file(0);
	int fd;

	program_begin(NULL, NULL);
	fake.file_limit = 1 << 30;
	fd = write_some(file, BLOCK, 20 * MIB);
	ck_assert_int_eq(engine_file(fd)->reason, REASON_SIZE_LIMIT);
	program_close(fd);
	settle_all();
	ck_assert_uint_eq(fake.calls[CALL_writeout] + fake.calls[CALL_advise], 0);
}
END_TEST

UNIT_MAIN("core_write", limit_of_file_sizes_stops_write_out,
	  sequential_write_holds_a_window_and_leaves_nothing, wait_leaves_the_error_to_the_program,
	  error_that_a_wait_took_is_given_back_once, stubborn_file_system_is_given_up,
	  slow_file_system_is_waited_for, interrupted_write_out_is_started_again,
	  hot_file_written_in_place_stays_hot, hot_part_of_a_file_written_in_place_stays,
	  random_writes_are_left_alone_until_close, appended_file_leaves_nothing,
	  bytes_appended_to_a_hot_file_leave_nothing, full_units_are_written_out_as_they_fill,
	  failed_write_is_counted_as_a_call_only)
