/* test_core_dontcache.c - which transfers have RWF_DONTCACHE, and what becomes of their pages. */
#include "dontcache.h"

#include "fake_program.h"
#include "fsinfo.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

enum { WINDOW = 8 << 20, LARGE = 256 << 10, SIZE = 40 << 20, READ = 4 << 20 };

static void expect(int fd, enum policy policy, enum reason reason)
{
	enum policy is_policy;
	enum reason is_reason;

	ck_assert(engine_status(fd, &is_policy, &is_reason));
	ck_assert_str_eq(policy_name(is_policy), policy_name(policy));
	ck_assert_str_eq(reason_word(is_reason), reason_word(reason));
}

/* A file that takes some naps to be written out, and a program under the policy that has it open.
 */
static int opened(struct fake_file *file, int flags)
{
	file->naps = 3;
	program_begin("* dontcache", NULL);
	return program_open(file, flags);
}

START_TEST(large_writes_have_the_flag)
{
	/* Expects each to have it, a bounded window meanwhile, nothing left, nothing for us to
	 * drop. */
	struct fake_file *file = fake_file("/new", 0);
	int fd = opened(file, O_WRONLY);

	program_write_all(fd, LARGE, 0, SIZE);
	ck_assert_int_eq(file->uncached, SIZE);
	ck_assert_int_le(file->own_peak, WINDOW);
	ck_assert_int_eq(program_count(fd, COUNT_writes), SIZE / LARGE);
	ck_assert_int_eq(program_count(fd, COUNT_written), SIZE);
	ck_assert_int_eq(fake_offset(fd), SIZE);
	expect(fd, POLICY_DONTCACHE, REASON_NONE);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(small_writes_are_a_stream)
{
	/* Expects no flag below 128 KiB, and the reason. */
	struct fake_file *file = fake_file("/new", 0);
	int fd = opened(file, O_WRONLY);

	program_write_all(fd, (128 << 10) - 1, 0, SIZE);
	ck_assert_int_eq(file->uncached, 0);
	expect(fd, POLICY_DONTNEED, REASON_SMALL);
	program_close(fd);
	program_expect_bounded(file, WINDOW);
}
END_TEST

START_TEST(huge_write_is_cut_and_its_pieces_have_the_flag)
{
	/* Expects one write of 20 MiB not to hold 20 MiB. */
	struct fake_file *file = fake_file("/new", 0);
	int fd = opened(file, O_WRONLY);

	ck_assert_int_eq(program_write(fd, 20 << 20, -1), 20 << 20);
	ck_assert_int_eq(program_write(fd, 20 << 20, -1), 20 << 20);
	ck_assert_int_eq(file->uncached, SIZE);
	ck_assert_int_le(file->own_peak, WINDOW + 2 * UNIT);
	expect(fd, POLICY_DONTCACHE, REASON_NONE);
}
END_TEST

START_TEST(large_reads_have_the_flag)
{
	/* Expects each to have it, no advice and no readahead of ours, nothing left. */
	struct fake_file *file = fake_file("/old", SIZE);
	int fd = opened(file, O_RDONLY);

	program_read_all(fd, READ, 0, SIZE);
	ck_assert_int_eq(file->uncached, SIZE);
	ck_assert_uint_eq(fake.calls[CALL_advise], 0);
	ck_assert_int_eq(program_count(fd, COUNT_reads), SIZE / READ);
	ck_assert_int_eq(program_count(fd, COUNT_read), SIZE);
	expect(fd, POLICY_DONTCACHE, REASON_NONE);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(small_reads_are_a_stream)
{
	/* Expects no flag below 2 MiB, and the reason. */
	struct fake_file *file = fake_file("/old", SIZE);
	int fd = opened(file, O_RDONLY);

	program_read_all(fd, (2 << 20) - 1, 0, SIZE);
	ck_assert_int_eq(file->uncached, 0);
	expect(fd, POLICY_DONTNEED, REASON_SMALL);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(file_system_that_refuses_is_asked_once)
{
	/* Expects the call to be made without the flag, and no second file to be tried. */
	struct fake_file *file = fake_file("/one", 0), *other = fake_file("/other", 0);
	int fd;

	file->dontcache = other->dontcache = REFUSES;
	fd = opened(file, O_WRONLY);
	program_write_all(fd, LARGE, 0, SIZE);
	ck_assert_int_eq(file->size, SIZE);
	ck_assert_uint_eq(fake.calls[CALL_pwritev2], 1);
	expect(fd, POLICY_DONTNEED, REASON_NO_DONTCACHE);
	program_close(fd);
	program_expect_bounded(file, WINDOW);
	fd = program_open(other, O_WRONLY);
	expect(fd, POLICY_DONTNEED, REASON_NO_DONTCACHE);
	program_write(fd, LARGE, -1);
	ck_assert_uint_eq(fake.calls[CALL_pwritev2], 1);
}
END_TEST

START_TEST(missing_call_is_as_good_as_refused)
{
	/* Expects the call to be made without the flag where the kernel, or a sandbox, has no
	 * pwritev2(2). */
	struct fake_file *file = fake_file("/one", 0);
	int fd = opened(file, O_WRONLY);

	fake_fault(CALL_pwritev2, 1, 1000, -ENOSYS);
	program_write_all(fd, LARGE, 0, SIZE);
	ck_assert_int_eq(file->size, SIZE);
	ck_assert_uint_eq(fake.calls[CALL_pwritev2], 1);
	expect(fd, POLICY_DONTNEED, REASON_NO_DONTCACHE);
}
END_TEST

START_TEST(refusal_of_a_number_that_was_reused_says_nothing_of_the_file_system)
{
	/* Expects the device to be trusted still where the descriptor means something else now. */
	struct fake_file *file = fake_file("/one", 0), *other = fake_file("/other", 0);
	int fd;

	other->dontcache = REFUSES;
	fd = opened(file, O_WRONLY);
	fake.fd[fd]->file = other;
	ck_assert_int_eq(program_write(fd, LARGE, -1), LARGE);
	ck_assert_int_eq(program_reason(fd), REASON_CHANGED);
	ck_assert_int_eq(fsinfo_dontcache(fd, 1), FSINFO_UNTRIED);
}
END_TEST

START_TEST(refused_flag_of_the_programs_own_is_its_error)
{
	/* Expects the call to be forwarded, for the kernel to say, and the flag to be kept for
	 * later. */
	struct fake_file *file = fake_file("/one", 0);
	struct iovec iov = {calloc(1, LARGE), LARGE};
	int fd;

	file->dontcache = REFUSES;
	fd = opened(file, O_WRONLY);
	ck_assert_int_eq(dontcache_write(engine_file(fd), fd, &iov, 1, -1, RWF_NOWAIT), FORWARD);
	ck_assert(file_may_dontcache(engine_file(fd)));
}
END_TEST

START_TEST(writes_without_effect_are_left_to_the_stream)
{
	/* Expects a bounded window all the same, no word of the policy, and later files to know. */
	struct fake_file *file = fake_file("/one", 0), *other = fake_file("/other", 0);
	int fd;

	file->dontcache = other->dontcache = IGNORES;
	fd = opened(file, O_WRONLY);
	program_write_all(fd, LARGE, 0, SIZE);
	expect(fd, POLICY_DONTNEED, REASON_NO_EFFECT);
	ck_assert_int_le(file->uncached, 5 << 20);
	program_close(fd);
	program_expect_bounded(file, WINDOW + UNIT);
	expect(program_open(other, O_WRONLY), POLICY_DONTNEED, REASON_NO_EFFECT);
}
END_TEST

START_TEST(overwriting_without_effect_says_nothing_of_new_files)
{
	/* Expects a new file on the same device to be tried. */
	struct fake_file *file = fake_file("/one", SIZE), *other = fake_file("/other", 0);
	int fd;

	file->dontcache = IGNORES;
	fd = opened(file, O_WRONLY);
	program_write_all(fd, LARGE, 0, SIZE);
	expect(fd, POLICY_DONTNEED, REASON_NO_EFFECT);
	program_close(fd);
	expect(program_open(other, O_WRONLY), POLICY_DONTCACHE, REASON_NONE);
}
END_TEST

START_TEST(reads_without_effect_are_left_to_the_stream)
{
	/* Expects one piece of a read with the flag, and nothing left of it. */
	struct fake_file *file = fake_file("/old", SIZE);
	int fd;

	file->dontcache = IGNORES;
	fd = opened(file, O_RDONLY);
	program_read_all(fd, READ, 0, SIZE);
	ck_assert_int_eq(file->uncached, 2 << 20);
	expect(fd, POLICY_DONTNEED, REASON_NO_EFFECT);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(pages_from_before_stay_when_they_are_written)
{
	/* Expects no flag on cached ranges, which xfs would drop, but on all others. */
	struct fake_file *file = fake_file("/old", SIZE);
	int fd;

	fake_warm(file, 0, 10 << 20);
	fd = opened(file, O_WRONLY);
	program_write_all(fd, LARGE, 0, SIZE);
	ck_assert_int_eq(file->uncached, SIZE - (10 << 20));
	program_close(fd);
	ck_assert_int_eq(fake_bytes(file, CACHED, 0, 10 << 20), 10 << 20);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(pages_from_before_stay_when_they_are_read)
{
	/* Expects a file that was cached in part to be a stream, and as cached as before. */
	struct fake_file *file = fake_file("/old", SIZE);
	int fd;

	fake_warm(file, 0, 10 << 20);
	fd = opened(file, O_RDONLY);
	program_read_all(fd, READ, 0, SIZE);
	expect(fd, POLICY_DONTNEED, REASON_CACHED);
	program_close(fd);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, SIZE), 10 << 20);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

START_TEST(hot_file_is_read_as_it_is)
{
	/* Expects no flag where all was cached before. */
	struct fake_file *file = fake_file("/old", SIZE);
	int fd;

	fake_warm(file, 0, SIZE);
	fd = opened(file, O_RDONLY);
	program_read_all(fd, READ, 0, SIZE);
	ck_assert_int_eq(file->uncached, 0);
	expect(fd, POLICY_DONTNEED, REASON_HOT);
}
END_TEST

/* What is known of the kernel is known for the life of a process: one release a test. */
#define RELEASE(name, text, policy, reason)                                                        \
	START_TEST(name)                                                                           \
	{                                                                                          \
		struct fake_file *file = fake_file("/new", 0);                                     \
		int fd;                                                                            \
                                                                                                   \
		fake.release = text;                                                               \
		fd = opened(file, O_WRONLY);                                                       \
		program_write(fd, LARGE, -1);                                                      \
		expect(fd, policy, reason);                                                        \
	}                                                                                          \
	END_TEST

RELEASE(kernel_that_frees_twice_is_not_asked, "6.15.9", POLICY_DONTNEED, REASON_NO_DONTCACHE)
RELEASE(older_kernel_is_not_asked, "5.19.0", POLICY_DONTNEED, REASON_NO_DONTCACHE)
RELEASE(kernel_without_a_number_is_not_asked, "6.", POLICY_DONTNEED, REASON_NO_DONTCACHE)
RELEASE(repaired_kernel_is_asked, "6.16.0-rc1", POLICY_DONTCACHE, REASON_NONE)
RELEASE(next_major_kernel_is_asked, "7.0", POLICY_DONTCACHE, REASON_NONE)

START_TEST(short_and_interrupted_calls_are_the_programs)
{
	/* Expects a short count and EINTR as the kernel gave them, and the call not to be repeated.
	 */
	struct fake_file *file = fake_file("/new", 0);
	int fd = opened(file, O_WRONLY);

	fake_fault(CALL_pwritev2, 1, 1, 1000);
	ck_assert_int_eq(program_write(fd, LARGE, -1), 1000);
	fake_forget_faults();
	ck_assert_int_eq(fake_offset(fd), 1000);
	fake_fault(CALL_pwritev2, 1, 1, -EINTR);
	ck_assert_int_eq(program_write(fd, LARGE, -1), -EINTR);
	fake_forget_faults();
	ck_assert_int_eq(fake_offset(fd), 1000);
	ck_assert_int_eq(program_count(fd, COUNT_written), 1000);
	ck_assert_int_eq(program_count(fd, COUNT_writes), 2);
}
END_TEST

START_TEST(own_direct_and_size_limit_have_no_flag)
{
	/* Expects the reasons. */
	struct fake_file *one = fake_file("/one", 0), *other = fake_file("/other", 0);
	int fd = opened(one, O_WRONLY | O_DIRECT);

	program_write(fd, LARGE, 0);
	ck_assert_int_eq(program_reason(fd), REASON_OWN_DIRECT);
	fake.file_limit = 1 << 30;
	fd = program_open(other, O_WRONLY);
	program_write(fd, LARGE, 0);
	ck_assert_int_eq(program_reason(fd), REASON_SIZE_LIMIT);
	ck_assert_int_eq(one->uncached + other->uncached, 0);
}
END_TEST

START_TEST(bad_memory_is_the_kernels_to_name)
{
	/* Expects what reaches out of a program's memory to be forwarded untouched. */
	struct fake_file *file = fake_file("/new", 0);
	struct iovec iov = {(void *)-4096L, LARGE};
	int fd = opened(file, O_RDWR);

	ck_assert_int_eq(dontcache_write(engine_file(fd), fd, &iov, 1, -1, 0), FORWARD);
	iov = (struct iovec){NULL, (size_t)-1};
	ck_assert_int_eq(dontcache_read(engine_file(fd), fd, &iov, 1, -1, 0), FORWARD);
	ck_assert_uint_eq(fake.calls[CALL_pwritev2] + fake.calls[CALL_preadv2], 0);
}
END_TEST

UNIT_MAIN("core_dontcache", large_writes_have_the_flag, small_writes_are_a_stream,
	  huge_write_is_cut_and_its_pieces_have_the_flag, large_reads_have_the_flag,
	  small_reads_are_a_stream, file_system_that_refuses_is_asked_once,
	  missing_call_is_as_good_as_refused,
	  refusal_of_a_number_that_was_reused_says_nothing_of_the_file_system,
	  refused_flag_of_the_programs_own_is_its_error,
	  writes_without_effect_are_left_to_the_stream,
	  overwriting_without_effect_says_nothing_of_new_files,
	  reads_without_effect_are_left_to_the_stream, pages_from_before_stay_when_they_are_written,
	  pages_from_before_stay_when_they_are_read, hot_file_is_read_as_it_is,
	  kernel_that_frees_twice_is_not_asked, older_kernel_is_not_asked,
	  kernel_without_a_number_is_not_asked, repaired_kernel_is_asked,
	  next_major_kernel_is_asked, short_and_interrupted_calls_are_the_programs,
	  own_direct_and_size_limit_have_no_flag, bad_memory_is_the_kernels_to_name)
