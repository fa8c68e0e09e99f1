/* test_core_read.c - what a reading program holds and leaves of a file in the page cache. */
#include "fake_program.h"
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>

enum { WINDOW = 8 << 20, BLOCK = 128 << 10 };

static struct fake_file *cold_file(int64_t size)
{
	return fake_file("/data/big", size);
}

START_TEST(sequential_read_holds_a_window_and_leaves_nothing)
{
	/* Expects at most 8 MiB and one read of its own in the cache, and 0 after close. */
	static const size_t blocks[] = {512, 4096, 64000, 128 << 10, 1 << 20, 9 << 20};

	program_begin(NULL, NULL);
	for (int i = 0; i < 6; i++) {
		struct fake_file *file = cold_file(100 * MIB + 1234);

		program_read_file(file, blocks[i]);
		program_expect_bounded(file, WINDOW + (int64_t)blocks[i]);
	}
}
END_TEST

START_TEST(kernel_that_reads_far_ahead_is_held_back)
{
	/* Expects the window to hold where the kernel's own readahead is as large as it. */
	struct fake_file *file = cold_file(100 * MIB);

	fake.readahead = 8 * MIB - BLOCK;
	program_begin(NULL, NULL);
	program_read_file(file, BLOCK);
	program_expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(random_reads_are_left_alone_until_close)
{
	/* Expects no advice while reads jump about, and nothing left after close. */
	struct fake_file *file = cold_file(100 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDONLY);
	srand(1);
	for (int i = 0; i < 500; i++)
		program_read(fd, 16384, rand() % 6400 * (16 * KIB));
	ck_assert_uint_eq(fake.calls[CALL_advise], 0);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(large_random_reads_bring_in_what_they_read)
{
	/* Expects nothing to be asked for beyond reads that each come from elsewhere. */
	struct fake_file *file = cold_file(100 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDONLY);
	for (int i = 1; i < 100; i++)
		program_read(fd, MIB, i * 37 % 100 * MIB + 100);
	program_close(fd);
	program_expect_bounded(file, MIB + PAGE);
}
END_TEST

START_TEST(stream_may_start_over)
{
	/* Expects the window to hold over a jump back to the start, and 0 after close. */
	struct fake_file *file = cold_file(60 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, BLOCK, 0, 30 * MIB);
	program_read_all(fd, BLOCK, 0, file->size);
	program_close(fd);
	program_expect_bounded(file, WINDOW + BLOCK);
	ck_assert_uint_eq(fake_advices(POSIX_FADV_RANDOM), 2);
	ck_assert_uint_eq(fake_advices(POSIX_FADV_NORMAL), 1);
}
END_TEST

START_TEST(own_random_advice_means_hands_off)
{
	/* Expects no advice of ours on a stream that the program advised, and its reason. */
	struct fake_file *file = cold_file(20 * MIB);
	int fd;

	program_begin("* dontneed", NULL);
	fd = program_open(file, O_RDONLY);
	engine_advised(engine_file(fd), fd, POSIX_FADV_RANDOM);
	program_read_all(fd, BLOCK, 0, file->size);
	ck_assert_uint_eq(fake.calls[CALL_advise], 0);
	ck_assert_int_eq(program_reason(fd), REASON_OWN_ADVICE);
}
END_TEST

START_TEST(own_direct_means_hands_off)
{
	/* Expects no advice of ours on a stream past the cache, and its reason. */
	struct fake_file *file = cold_file(20 * MIB);
	int fd;

	program_begin("* dontneed", NULL);
	fd = program_open(file, O_RDONLY | O_DIRECT);
	program_read_all(fd, BLOCK, 0, file->size);
	ck_assert_uint_eq(fake.calls[CALL_advise], 0);
	ck_assert_int_eq(program_reason(fd), REASON_OWN_DIRECT);
}
END_TEST

START_TEST(advice_that_brings_in_little_is_given_in_pieces)
{
	/* Expects the pages ahead to be there although one advice brings in 256 KiB at most. */
	struct fake_file *file = cold_file(40 * MIB);
	int fd;

	file->piece = 256 * KIB;
	program_begin(NULL, NULL);
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, BLOCK, 0, 20 * MIB);
	ck_assert_int_ge(fake_bytes(file, CACHED, 20 * MIB, 23 * MIB), 3 * MIB);
	program_close(fd);
	program_expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(large_folios_over_an_edge_go_with_the_next_call)
{
	/* Expects 2 MiB folios, of which a part cannot be dropped, to be gone all the same. */
	struct fake_file *file = cold_file(100 * MIB);

	file->folio = 2 * MIB;
	program_begin(NULL, NULL);
	program_read_file(file, BLOCK);
	program_expect_bounded(file, WINDOW + BLOCK + 2 * MIB);
}
END_TEST

START_TEST(stream_that_skips_ahead_is_one)
{
	/* Expects a reader that leaves out parts within the window to be bounded all the same. */
	struct fake_file *file = cold_file(60 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, BLOCK, 0, 2 * MIB);
	for (int64_t at = 2 * MIB; at < file->size; at += 3 * BLOCK)
		program_read(fd, BLOCK, at);
	ck_assert_uint_eq(fake_advices(POSIX_FADV_RANDOM), 1);
	program_close(fd);
	program_expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(pages_under_io_are_dropped_after_it)
{
	/* Expects a readahead that is under way at close to be waited for, not for long. */
	struct fake_file *file = cold_file(20 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, BLOCK, 0, 10 * MIB);
	pages_bring_in(file, 10 * MIB, 11 * MIB, DIRTY);
	file->naps = 3;
	pages_start_io(file, 0, file->size);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
	ck_assert_int_lt(fake.steady, 30000000);
}
END_TEST

UNIT_MAIN("core_read", sequential_read_holds_a_window_and_leaves_nothing,
	  kernel_that_reads_far_ahead_is_held_back, random_reads_are_left_alone_until_close,
	  large_random_reads_bring_in_what_they_read, stream_may_start_over,
	  own_random_advice_means_hands_off, own_direct_means_hands_off,
	  advice_that_brings_in_little_is_given_in_pieces,
	  large_folios_over_an_edge_go_with_the_next_call, stream_that_skips_ahead_is_one,
	  pages_under_io_are_dropped_after_it)
