/* test_core_read.c - what a reading program holds and leaves of a file in the page cache. */
#include "fake_program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

enum { WINDOW = 8 << 20, BLOCK = 128 << 10, FOREVER = 1 << 30 };

static struct fake_file *cold_file(int64_t size)
{
	return fake_file("/data/big", size);
}

static void read_and_close(struct fake_file *file, size_t block)
{
	int fd = program_open(file, O_RDONLY);

	program_read_all(fd, block, 0, file->size);
	program_close(fd);
}

static enum reason reason_of(int fd)
{
	enum policy policy;
	enum reason reason;

	ck_assert(engine_status(fd, &policy, &reason));
	return reason;
}

static void expect_bounded(const struct fake_file *file, int64_t bound)
{
	ck_assert_int_gt(file->own_peak, 0);
	ck_assert_int_le(file->own_peak, bound);
	ck_assert_int_eq(file->own, 0);
}

/* Reads the file of which others have cached some; that stays to the page, and nothing else. */
static void expect_hot_stays(struct fake_file *file, size_t block)
{
	int64_t hot = fake_bytes(file, THEIRS, 0, file->size);

	ck_assert_int_gt(hot, 0);
	read_and_close(file, block);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), hot);
	expect_bounded(file, WINDOW + (int64_t)block);
}

START_TEST(sequential_read_holds_a_window_and_leaves_nothing)
{
	/* Expects at most 8 MiB and one read of its own in the cache, and 0 after close. */
	static const size_t blocks[] = {512, 4096, 64000, 128 << 10, 1 << 20, 9 << 20};

	program_begin(NULL, NULL);
	for (int i = 0; i < 6; i++) {
		struct fake_file *file = cold_file(100 * MIB + 1234);

		read_and_close(file, blocks[i]);
		expect_bounded(file, WINDOW + (int64_t)blocks[i]);
	}
}
END_TEST

START_TEST(kernel_that_reads_far_ahead_is_held_back)
{
	/* Expects the window to hold where the kernel's own readahead is as large as it. */
	struct fake_file *file = cold_file(100 * MIB);

	fake.readahead = 8 * MIB - BLOCK;
	program_begin(NULL, NULL);
	read_and_close(file, BLOCK);
	expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(hot_pages_stay_to_the_page)
{
	/* Expects every page that was cached before to be there after, and none else. */
	static const struct {
		int64_t from, to;
	} hot[] = {{0, 20 * MIB},
		   {20 * MIB, 40 * MIB},
		   {0, MIB},
		   {39 * MIB, 40 * MIB},
		   {5 * MIB, 5 * MIB + PAGE}};
	struct fake_file *file;

	program_begin(NULL, NULL);
	for (int i = 0; i < 5; i++) {
		file = cold_file(40 * MIB);
		fake_warm(file, hot[i].from, hot[i].to);
		expect_hot_stays(file, i % 2 ? BLOCK : 512);
	}
	file = cold_file(40 * MIB);
	for (int64_t at = 0; at < file->size; at += 2 * PAGE)
		fake_warm(file, at, at + PAGE);
	expect_hot_stays(file, BLOCK);
}
END_TEST

START_TEST(hot_pages_stay_where_only_mincore_tells)
{
	/* Expects the same without cachestat: too old a kernel, and overlayfs, where it says 0. */
	struct fake_file *old = cold_file(40 * MIB), *overlay = cold_file(40 * MIB);

	overlay->blind = true;
	overlay->fstype = 0x794c7630;
	overlay->minor = 7;
	program_begin(NULL, NULL);
	fake_warm(overlay, MIB + PAGE, 4 * MIB);
	expect_hot_stays(overlay, BLOCK);
	fake_fault(CALL_cachestat, 1, FOREVER, -ENOSYS);
	fake_warm(old, 10 * MIB + PAGE, 13 * MIB);
	expect_hot_stays(old, BLOCK);
}
END_TEST

START_TEST(nokeep_leaves_nothing)
{
	/* Expects hot pages to be dropped where the user said so. */
	struct fake_file *file = cold_file(20 * MIB);

	program_begin("* dontneed,nokeep", NULL);
	fake_warm(file, 0, 10 * MIB);
	read_and_close(file, BLOCK);
	ck_assert_int_eq(fake_bytes(file, CACHED, 0, file->size), 0);
}
END_TEST

START_TEST(pages_that_others_warm_meanwhile_stay)
{
	/* Expects what somebody else brings in ahead of the stream to stay. */
	struct fake_file *file = cold_file(60 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, BLOCK, 0, 10 * MIB);
	fake_warm(file, 30 * MIB, 40 * MIB);
	fake_warm(file, 50 * MIB + PAGE, 50 * MIB + 2 * PAGE);
	program_read_all(fd, BLOCK, 10 * MIB, file->size);
	program_close(fd);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 10 * MIB + PAGE);
	expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(file_that_is_all_hot_costs_no_advice)
{
	/* Expects not one posix_fadvise where everything was cached before. */
	struct fake_file *file = cold_file(20 * MIB);

	program_begin(NULL, NULL);
	fake_warm(file, 0, file->size);
	read_and_close(file, BLOCK);
	ck_assert_uint_eq(fake.calls[CALL_advise], 0);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 20 * MIB);
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
	expect_bounded(file, WINDOW + BLOCK);
	ck_assert_uint_eq(fake_advices(POSIX_FADV_RANDOM), 2);
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
	ck_assert_int_eq(reason_of(fd), REASON_OWN_ADVICE);
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
	ck_assert_int_eq(reason_of(fd), REASON_OWN_DIRECT);
}
END_TEST

START_TEST(who_may_not_ask_gets_a_reason)
{
	/* Expects keep-unknown where cachestat is refused, and its own pages gone all the same. */
	struct fake_file *file = cold_file(40 * MIB);
	int fd;

	fake_fault(CALL_cachestat, 1, FOREVER, -EPERM);
	program_begin("* dontneed", NULL);
	fd = program_open(file, O_RDONLY);
	ck_assert_int_eq(reason_of(fd), REASON_KEEP_UNKNOWN);
	program_read_all(fd, BLOCK, 0, file->size);
	program_close(fd);
	expect_bounded(file, WINDOW + BLOCK);
	ck_assert_uint_eq(fake.calls[CALL_mincore], 0);
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
	expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(large_folios_over_an_edge_go_with_the_next_call)
{
	/* Expects 2 MiB folios, of which a part cannot be dropped, to be gone all the same. */
	struct fake_file *file = cold_file(100 * MIB);

	file->folio = 2 * MIB;
	program_begin(NULL, NULL);
	read_and_close(file, BLOCK);
	expect_bounded(file, WINDOW + BLOCK + 2 * MIB);
}
END_TEST

UNIT_MAIN("core_read", sequential_read_holds_a_window_and_leaves_nothing,
	  kernel_that_reads_far_ahead_is_held_back, hot_pages_stay_to_the_page,
	  hot_pages_stay_where_only_mincore_tells, nokeep_leaves_nothing,
	  pages_that_others_warm_meanwhile_stay, file_that_is_all_hot_costs_no_advice,
	  random_reads_are_left_alone_until_close, stream_may_start_over,
	  own_random_advice_means_hands_off, own_direct_means_hands_off,
	  who_may_not_ask_gets_a_reason, advice_that_brings_in_little_is_given_in_pieces,
	  large_folios_over_an_edge_go_with_the_next_call)
