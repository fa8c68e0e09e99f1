/* test_core_growth.c - a file that grows past a line gets the rule that holds beyond it. */
#include "fake_program.h"
#include "unit.h"

#include <fcntl.h>
#include <string.h>

enum { WINDOW = 8 << 20, BLOCK = 128 << 10, LINE = 20 << 20 };

static void expect(int fd, enum policy policy, enum reason reason)
{
	enum policy is_policy;
	enum reason is_reason;

	ck_assert(engine_status(fd, &is_policy, &is_reason));
	ck_assert_str_eq(policy_name(is_policy), policy_name(policy));
	ck_assert_str_eq(reason_word(is_reason), reason_word(reason));
}

START_TEST(left_alone_while_small_and_taken_when_it_crosses)
{
	/* Expects nothing to be done below the line, a bounded stream beyond, nothing left. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size>=20M dontneed", NULL);
	fd = program_open(file, O_WRONLY);
	program_write_all(fd, BLOCK, 0, LINE - BLOCK);
	expect(fd, POLICY_OFF, REASON_NO_RULE);
	ck_assert_uint_eq(fake.calls[CALL_advise] + fake.calls[CALL_writeout], 0);
	program_write_all(fd, BLOCK, LINE - BLOCK, LINE + BLOCK);
	expect(fd, POLICY_DONTNEED, REASON_NONE);
	program_write_all(fd, BLOCK, LINE + BLOCK, 3 * LINE);
	ck_assert_int_le(file->own_peak, LINE + WINDOW);
	ck_assert_int_le(file->own, WINDOW);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(small_file_beside_a_line_is_left_alone_to_its_end)
{
	/* Expects no advice, no write-out and no log record of a file that never crosses. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size>=20M dontneed", "/log");
	fd = program_open(file, O_WRONLY);
	program_write_all(fd, BLOCK, 0, LINE - 1);
	program_close(fd);
	engine_exit();
	ck_assert_uint_eq(fake.calls[CALL_advise] + fake.calls[CALL_writeout], 0);
	ck_assert_ptr_null(strstr(program_log("/log"), "type=file"));
}
END_TEST

START_TEST(streamed_while_small_and_let_go_when_it_crosses)
{
	/* Expects no page to be released beyond the line, and a record of what was done last. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size<20M dontneed; * off", "/log");
	fd = program_open(file, O_WRONLY);
	program_write_all(fd, BLOCK, 0, LINE + BLOCK);
	program_write_all(fd, BLOCK, LINE + BLOCK, 2 * LINE);
	expect(fd, POLICY_OFF, REASON_NONE);
	program_close(fd);
	ck_assert_int_ge(file->own, LINE);
	ck_assert_int_le(file->own, LINE + WINDOW);
	ck_assert_ptr_nonnull(strstr(program_log("/log"), "policy=off asked=off reason=-"));
}
END_TEST

START_TEST(lines_are_crossed_one_after_the_other)
{
	/* Expects each rule in its turn, whatever order they stand in. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size>=40M buffered; * size>=20M dsync; * auto", NULL);
	fd = program_open(file, O_WRONLY);
	program_write_all(fd, BLOCK, 0, LINE - BLOCK);
	expect(fd, POLICY_DONTNEED, REASON_AUTO);
	program_write_all(fd, BLOCK, LINE - BLOCK, LINE);
	expect(fd, POLICY_DSYNC, REASON_NONE);
	program_write_all(fd, BLOCK, LINE, 2 * LINE);
	expect(fd, POLICY_BUFFERED, REASON_NONE);
}
END_TEST

START_TEST(one_far_write_crosses)
{
	/* Expects pwrite(2) beyond the line, and write(2) after lseek(2) there, to be noticed. */
	struct fake_file *one = fake_file("/one", 0), *other = fake_file("/other", 0);
	int fd;

	program_begin("* size>=20M observe", NULL);
	fd = program_open(one, O_WRONLY);
	program_write(fd, 10, LINE - 10);
	expect(fd, POLICY_OBSERVE, REASON_NONE);
	fd = program_open(other, O_WRONLY);
	program_seek(fd, LINE);
	program_write(fd, 1, -1);
	expect(fd, POLICY_OBSERVE, REASON_NONE);
}
END_TEST

START_TEST(appended_file_crosses)
{
	/* Expects the file's size, and not the offset, to count with O_APPEND. */
	struct fake_file *file = fake_file("/log", LINE - 10);
	int fd;

	program_begin("* size>=20M observe", NULL);
	fd = program_open(file, O_WRONLY | O_APPEND);
	program_write(fd, 9, -1);
	expect(fd, POLICY_OFF, REASON_NO_RULE);
	program_write(fd, 1, -1);
	expect(fd, POLICY_OBSERVE, REASON_NONE);
}
END_TEST

START_TEST(size_that_the_program_sets_counts)
{
	/* Expects ftruncate(2) beyond the line to be noticed at the next call. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size>=20M observe", NULL);
	fd = program_open(file, O_WRONLY);
	fake_truncate(file, LINE);
	engine_resized(fd);
	expect(fd, POLICY_OBSERVE, REASON_NONE);
}
END_TEST

START_TEST(shrinking_does_not_go_back)
{
	/* Expects the furthest byte that was touched to count, also where it is gone again. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size>=40M dsync; * size>=20M observe", NULL);
	fd = program_open(file, O_WRONLY);
	program_write(fd, 10, LINE);
	expect(fd, POLICY_OBSERVE, REASON_NONE);
	fake_truncate(file, 0);
	engine_resized(fd);
	program_write(fd, 10, 0);
	expect(fd, POLICY_OBSERVE, REASON_NONE);
}
END_TEST

START_TEST(crossing_in_the_last_call_is_seen_at_close)
{
	/* Expects nothing to be left of a file that one write carried over the line. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size>=4M dontneed", NULL);
	fd = program_open(file, O_WRONLY);
	program_write(fd, 5 << 20, -1);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(crossing_in_the_last_call_is_seen_at_exit)
{
	/* Expects the same of a program that ends without closing it. */
	struct fake_file *file = fake_file("/new", 0);
	int fd;

	program_begin("* size>=4M dontneed", NULL);
	fd = program_open(file, O_WRONLY);
	program_write(fd, 5 << 20, -1);
	engine_exit();
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(pages_from_before_stay_when_the_file_is_taken)
{
	/* Expects what was cached when the file was opened to stay cached. */
	struct fake_file *file = fake_file("/old", 4 * MIB);
	int fd;

	fake_warm(file, 0, 4 * MIB);
	program_begin("* size>=20M dontneed", NULL);
	fd = program_open(file, O_WRONLY | O_APPEND);
	for (int i = 0; i < 240; i++)
		program_write(fd, BLOCK, -1);
	program_close(fd);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 4 * MIB);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(files_that_no_size_rule_can_concern_have_no_record)
{
	/* Expects readers, and files that only rules of other names ask the size of, to be alone.
	 */
	struct fake_file *iso = fake_file("/a.iso", 0), *text = fake_file("/a.txt", 0);

	program_begin("*.iso size>=20M dontneed; *.log auto", NULL);
	ck_assert_uint_eq(fdtab_get(program_open(text, O_RDWR)), FD_ALONE);
	ck_assert_uint_eq(fdtab_get(program_open(iso, O_RDONLY)), FD_ALONE);
	ck_assert(fdtab_is_record(fdtab_get(program_open(iso, O_RDWR))));
	fake_truncate(iso, LINE);
	ck_assert(fdtab_is_record(fdtab_get(program_open(iso, O_RDONLY))));
}
END_TEST

START_TEST(asking_is_rare)
{
	/* Expects a handful of calls of ours, however many small writes there are before the line.
	 */
	struct fake_file *file = fake_file("/new", 0);
	unsigned long calls;
	int fd;

	program_begin("* size>=20M dontneed", NULL);
	fd = program_open(file, O_WRONLY);
	calls = fake_all_calls();
	for (int i = 0; i < 10000; i++)
		program_write(fd, 100, -1);
	ck_assert_uint_eq(fake_all_calls() - calls, 0);
}
END_TEST

UNIT_MAIN("core_growth", left_alone_while_small_and_taken_when_it_crosses,
	  small_file_beside_a_line_is_left_alone_to_its_end,
	  streamed_while_small_and_let_go_when_it_crosses, lines_are_crossed_one_after_the_other,
	  one_far_write_crosses, appended_file_crosses, size_that_the_program_sets_counts,
	  shrinking_does_not_go_back, crossing_in_the_last_call_is_seen_at_close,
	  crossing_in_the_last_call_is_seen_at_exit, pages_from_before_stay_when_the_file_is_taken,
	  files_that_no_size_rule_can_concern_have_no_record, asking_is_rare)
