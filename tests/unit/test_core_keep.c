/* test_core_keep.c - what was cached before a program read a file stays cached, to the page. */
#include "fake_program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>

enum { WINDOW = 8 << 20, BLOCK = 128 << 10, FOREVER = 1 << 30 };

static struct fake_file *cold_file(int64_t size)
{
	return fake_file("/data/big", size);
}

/* Reads the file of which others have cached some; that stays to the page, and nothing else. */
static void expect_hot_stays(struct fake_file *file, size_t block)
{
	int64_t hot = fake_bytes(file, THEIRS, 0, file->size);

	ck_assert_int_gt(hot, 0);
	program_read_file(file, block);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), hot);
	program_expect_bounded(file, WINDOW + (int64_t)block);
}

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
	int fd;

	program_begin("* dontneed,nokeep", NULL);
	fake_warm(file, 0, 10 * MIB);
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, BLOCK, 0, 15 * MIB);
	ck_assert_int_eq(fake_bytes(file, CACHED, 0, 10 * MIB), 0);
	program_close(fd);
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
	program_expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(file_that_is_all_hot_costs_no_advice)
{
	/* Expects not one posix_fadvise where everything was cached before. */
	struct fake_file *file = cold_file(20 * MIB);

	program_begin(NULL, NULL);
	fake_warm(file, 0, file->size);
	program_read_file(file, BLOCK);
	ck_assert_uint_eq(fake.calls[CALL_advise], 0);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 20 * MIB);
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
	ck_assert_int_eq(program_reason(fd), REASON_KEEP_UNKNOWN);
	program_read_all(fd, BLOCK, 0, file->size);
	program_close(fd);
	program_expect_bounded(file, WINDOW + BLOCK);
	ck_assert_uint_eq(fake.calls[CALL_mincore], 0);
}
END_TEST

START_TEST(what_cannot_be_asked_any_more_is_theirs)
{
	/* Expects hot pages to stay where the kernel stops to tell which those are. */
	struct fake_file *file = cold_file(60 * MIB);

	program_begin(NULL, NULL);
	fake_warm(file, 20 * MIB, 30 * MIB);
	fake_fault(CALL_cachestat, 5, FOREVER, -EPERM);
	program_read_file(file, BLOCK);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 10 * MIB);
}
END_TEST

static struct fake_file *hot;
static int second;

/* While the first is asking what is cached, the file is opened once more. */
static void open_again(enum fake_call call)
{
	if (call != CALL_cachestat)
		return;
	fake.before = NULL;
	second = program_open(hot, O_RDONLY);
	engine_file(second);
}

START_TEST(second_opener_does_not_take_over_what_is_not_known_yet)
{
	/* Expects a thread that opens the same file meanwhile to keep what was cached, too. */
	int first;

	hot = cold_file(20 * MIB);
	program_begin(NULL, NULL);
	fake_warm(hot, 0, hot->size);
	fake.before = open_again;
	first = program_open(hot, O_RDONLY);
	ck_assert_int_eq(engine_file(first)->before, BEFORE_ALL);
	ck_assert_int_eq(engine_file(second)->before, BEFORE_ALL);
}
END_TEST

START_TEST(overwritten_file_with_a_hot_page_is_bounded)
{
	/* Expects what was cached before to stay, wherever it lies, and nothing else. */
	static const int64_t hot_at[] = {0, 21 * MIB + 5 * PAGE, 39 * MIB};

	program_begin(NULL, NULL);
	for (int i = 0; i < 3; i++) {
		struct fake_file *file = cold_file(40 * MIB);
		int fd;

		fake_warm(file, hot_at[i], hot_at[i] + PAGE);
		fd = program_open(file, O_RDWR);
		program_write_all(fd, 128 << 10, 0, file->size);
		program_close(fd);
		program_expect_bounded(file, 10 * MIB);
		ck_assert_int_eq(fake_bytes(file, CACHED, 0, file->size), PAGE);
		ck_assert_int_eq(fake_bytes(file, CACHED, hot_at[i], hot_at[i] + PAGE), PAGE);
	}
}
END_TEST

UNIT_MAIN("core_keep", hot_pages_stay_to_the_page, hot_pages_stay_where_only_mincore_tells,
	  nokeep_leaves_nothing, pages_that_others_warm_meanwhile_stay,
	  file_that_is_all_hot_costs_no_advice, who_may_not_ask_gets_a_reason,
	  what_cannot_be_asked_any_more_is_theirs,
	  second_opener_does_not_take_over_what_is_not_known_yet,
	  overwritten_file_with_a_hot_page_is_bounded)
