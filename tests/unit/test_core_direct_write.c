/* test_core_direct_write.c - large writes past the page cache do what the kernel would have done.
 */
#include "direct.h"
#include "fake_program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 2 * 1024 * 1024, SIZE = 5 * 1024 * 1024 };

static struct fake_file *disk;
static char *memory, *model;
static int64_t model_size;

static int begin_with(const char *rule, int flags)
{
	int fd;

	disk = program_disk_file("/data/x", SIZE);
	memory = malloc(4 * LARGE);
	for (int64_t i = 0; i < 4 * LARGE; i++)
		memory[i] = (char)(i * 31 + i / 4096 + 5);
	model = malloc(64 << 20);
	memcpy(model, disk->data, SIZE);
	model_size = SIZE;
	program_begin(rule, NULL);
	fd = program_open(disk, flags);
	return fd;
}

static int begin(int flags)
{
	return begin_with("* direct", flags);
}

static void expect_file(void)
{
	ck_assert_int_eq(disk->size, model_size);
	for (int64_t i = 0; i < model_size; i++)
		UNIT_HOLDS(disk->data[i] == (unsigned char)model[i]);
}

/* The write of the first `n` bytes moves `moved` of them. */
static void expect_write(int fd, int64_t n, int64_t offset, int64_t moved)
{
	int64_t at = offset < 0 ? fake_offset(fd) : offset, stays = fake_offset(fd);

	if (disk->size < at && moved > 0)
		memset(model + disk->size, 0, (size_t)(at - disk->size));
	memcpy(model + at, memory, (size_t)larger(moved, 0));
	if (moved > 0)
		model_size = larger(model_size, at + moved);
	ck_assert_int_eq(program_write_from(fd, memory, (size_t)n, offset), moved);
	ck_assert_int_eq(fake_offset(fd), offset < 0 ? stays + larger(moved, 0) : stays);
	expect_file();
}

START_TEST(aligned_middle_is_direct_and_edges_buffered)
{
	/* Expects whole blocks past the cache, and pages only at the two ends. */
	int fd = begin(O_WRONLY);

	expect_write(fd, LARGE, 1000, LARGE);
	ck_assert_int_eq(program_direct(fd), LARGE - PAGE);
	ck_assert_int_eq(program_count(fd, COUNT_bounced), LARGE - PAGE);
	ck_assert_int_eq(program_count(fd, COUNT_written), LARGE);
	ck_assert_int_eq(program_count(fd, COUNT_writes), 1);
	ck_assert_int_eq(fake_bytes(disk, CACHED, 0, SIZE), 2 * PAGE);
	ck_assert_int_eq(fake_bytes(disk, CACHED, PAGE, LARGE), 0);
}
END_TEST

START_TEST(write_at_own_offset_moves_it)
{
	/* Expects the description behind what was written, in order, beyond the end too. */
	int fd = begin(O_RDWR);

	for (int i = 0; i < 4; i++)
		expect_write(fd, LARGE, -1, LARGE);
	ck_assert_int_eq(program_direct(fd), 4 * LARGE);
	expect_write(fd, LARGE, 20 * MIB + 7, LARGE);
}
END_TEST

START_TEST(close_leaves_no_page)
{
	/* Expects the edges to be gone after the close, and nothing of ours to be there. */
	int fd = begin(O_WRONLY);

	expect_write(fd, LARGE, 1000, LARGE);
	program_close(fd);
	engine_exit();
	ck_assert_int_eq(disk->own, 0);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(small_writes_go_through_the_cache)
{
	/* Expects no twin for requests below 512 KiB. */
	int fd = begin(O_WRONLY);

	expect_write(fd, 512 * KIB - 1, 0, 512 * KIB - 1);
	ck_assert_int_eq(fake.hidden, 0);
	expect_write(fd, 512 * KIB, 2 * MIB, 512 * KIB);
	ck_assert_int_eq(program_direct(fd), 512 * KIB);
}
END_TEST

START_TEST(cached_page_in_the_range_keeps_the_write_buffered)
{
	/* Expects others' pages to stay, wherever in the middle they are, and the reason. */
	for (int64_t at = 0; at < LARGE; at += LARGE / 4) {
		int fd = begin(O_WRONLY);

		fake_warm(disk, at, at + PAGE);
		expect_write(fd, LARGE, 0, LARGE);
		ck_assert_int_eq(program_direct(fd), 0);
		ck_assert_int_eq(program_reason(fd), REASON_CACHED);
		ck_assert_int_eq(disk->evicted, 0);
		ck_assert(disk->pages[at / PAGE] & THEIRS);
		program_close(fd);
	}
}
END_TEST

START_TEST(cached_page_elsewhere_does_not_matter)
{
	/* Expects a direct write where only other parts are cached, the pages of the edges among
	 * them. */
	int fd = begin(O_WRONLY);

	fake_warm(disk, 0, 1);
	fake_warm(disk, LARGE + PAGE, SIZE);
	expect_write(fd, LARGE, 1000, LARGE);
	ck_assert_int_eq(program_direct(fd), LARGE - PAGE);
	ck_assert_int_eq(disk->evicted, 0);
}
END_TEST

START_TEST(nokeep_makes_room_first)
{
	/* Expects clean pages of others to be dropped by advice under nokeep, dirty ones not. */
	int fd = begin_with("* direct,nokeep", O_WRONLY);

	fake_warm(disk, 0, SIZE);
	expect_write(fd, LARGE, 0, LARGE);
	ck_assert_int_eq(program_direct(fd), LARGE);
}
END_TEST

START_TEST(unknown_residency_keeps_the_write_buffered)
{
	/* Expects no direct write where the kernel does not say what is cached. */
	int fd;

	fake_fault(CALL_cachestat, 1, 1000, -EPERM);
	fd = begin(O_WRONLY);
	expect_write(fd, LARGE, 0, LARGE);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_KEEP_UNKNOWN);
}
END_TEST

START_TEST(append_is_the_kernels)
{
	/* Expects an appending write to go to the end, buffered, with the reason. */
	int fd = begin(O_WRONLY | O_APPEND);

	ck_assert_int_eq(program_write_from(fd, memory, LARGE, -1), LARGE);
	ck_assert_int_eq(disk->size, SIZE + LARGE);
	ck_assert_int_eq(memcmp(disk->data + SIZE, memory, LARGE), 0);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_APPEND);
}
END_TEST

START_TEST(durable_writes_are_the_kernels)
{
	/* Expects O_DSYNC, and the program's own O_DIRECT, to be left alone. */
	int fd = begin(O_WRONLY | O_DSYNC), own;
	char *aligned = aligned_alloc(PAGE, LARGE);

	expect_write(fd, LARGE, 0, LARGE);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_OWN_DIRECT);
	own = program_open(disk, O_WRONLY | O_DIRECT);
	ck_assert_int_eq(program_write_from(own, aligned, LARGE, 0), LARGE);
	ck_assert_int_eq(program_direct(own), 0);
}
END_TEST

START_TEST(append_set_later_is_seen)
{
	/* Expects the flags to be asked at each write: F_SETFL may set O_APPEND on any descriptor.
	 */
	int fd = begin(O_WRONLY);

	expect_write(fd, LARGE, 0, LARGE);
	fake.fd[fd]->flags |= O_APPEND;
	ck_assert_int_eq(program_write_from(fd, memory, LARGE, -1), LARGE);
	ck_assert_int_eq(disk->size, SIZE + LARGE);
	ck_assert_int_eq(program_direct(fd), LARGE);
}
END_TEST

START_TEST(size_limit_is_the_kernels)
{
	/* Expects no direct write under RLIMIT_FSIZE. */
	int fd = begin(O_WRONLY);

	fake.file_limit = 100 * MIB;
	expect_write(fd, LARGE, 0, LARGE);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_SIZE_LIMIT);
}
END_TEST

START_TEST(mapped_file_is_written_through_the_cache)
{
	/* Expects no direct write beside a mapping of the program's. */
	int fd = begin(O_RDWR);

	engine_mapped(engine_file(fd), false);
	expect_write(fd, LARGE, 0, LARGE);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_MAPPED);
}
END_TEST

static long flaw_count, flaw_at, flaw_result;

static long flaw(size_t n)
{
	return ++flaw_count == flaw_at ? flaw_result : (long)n;
}

START_TEST(bad_direct_writes_are_finished_by_the_kernel)
{
	/* Expects the whole write, however short a direct one falls. */
	static const long results[] = {0, 4096, 512 * 1024, -EIO, -ENOSPC, -EINVAL, -EAGAIN};
	int fd = begin_with("* direct,block=1M", O_WRONLY);

	fake.direct_flaw = flaw;
	for (flaw_at = 1; flaw_at < 4; flaw_at++)
		for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
			pages_evict(disk, 0, SIZE);
			flaw_count = 0;
			flaw_result = results[i];
			expect_write(fd, LARGE + 5000, 100, LARGE + 5000);
			ck_assert_int_ge(flaw_count, smaller(flaw_at, 2));
		}
}
END_TEST

START_TEST(full_disk_gives_the_kernels_count_and_error)
{
	/* Expects what fits, to the byte, and ENOSPC when nothing does. */
	static const int64_t ends[] = {1000,  4096,        5000,         LARGE,
				       12345, LARGE + 999, LARGE + 1000, 777777};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		int fd = begin(O_WRONLY);

		disk->full_at = ends[i];
		program_seek(fd, 999);
		expect_write(fd, LARGE, -1, smaller(ends[i] - 999, LARGE));
		if (ends[i] < LARGE)
			expect_write(fd, LARGE, -1, -ENOSPC);
		program_close(fd);
	}
}
END_TEST

START_TEST(bad_buffer_is_the_kernels_to_refuse)
{
	/* Expects the bytes up to the bad page, or EFAULT. */
	int fd = begin(O_WRONLY);
	char *edge = fake_memory(300000);

	memcpy(edge, memory, 300000);
	memory = edge;
	expect_write(fd, LARGE, 5, 300000);
	memory += 300000;
	ck_assert_int_eq(program_write_from(fd, memory, LARGE, -1), -EFAULT);
	ck_assert_int_eq(fake_offset(fd), 0);
	ck_assert_int_eq(program_direct(fd), 0);
}
END_TEST

START_TEST(read_only_descriptor_is_forwarded)
{
	/* Expects EBADF of the kernel, and no twin. */
	int fd = begin(O_RDONLY);

	ck_assert_int_eq(program_write_from(fd, memory, LARGE, -1), -EBADF);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(offset_beyond_all_is_the_kernels)
{
	/* Expects a range that overflows, and a negative offset, to be forwarded. */
	int fd = begin(O_WRONLY);
	struct file *file = engine_file(fd);

	ck_assert_int_eq(direct_write(file, fd, memory, LARGE, INT64_MAX - LARGE + 1), FORWARD);
	ck_assert_int_eq(direct_write(file, fd, memory, LARGE, -2), FORWARD);
	ck_assert_int_eq(direct_write(file, fd, memory, SIZE_MAX, 0), FORWARD);
}
END_TEST

/* A sharer moves the description at the nth call from now. */
static int mover_fd, countdown;
static int64_t set_to;

static void move_offset(enum fake_call call)
{
	(void)call;
	if (!--countdown)
		fake.fd[mover_fd]->offset = set_to;
}

START_TEST(offset_is_exact_where_others_move_it)
{
	/* Expects the write to be before or after the move of a sharer, whichever call it meets,
	 * and no page of others to be evicted there. */
	int calls = 0;
	int64_t put;

	set_to = 3 * MIB + 77;
	do {
		int fd = mover_fd = begin(O_WRONLY);

		fake_warm(disk, 4 * MIB, SIZE);
		fake.fd[fd]->offset = 100;
		countdown = ++calls;
		fake.before = move_offset;
		ck_assert_int_eq(program_write_from(fd, memory, LARGE, -1), LARGE);
		fake.before = NULL;
		put = memcmp(disk->data + 100, memory, LARGE) ? set_to : 100;
		memcpy(model + put, memory, LARGE);
		model_size = larger(SIZE, put + LARGE);
		expect_file();
		ck_assert_int_eq(disk->evicted, 0);
		ck_assert_int_eq(fake_offset(fd),
				 put == set_to || countdown > 0 ? put + LARGE : set_to);
		program_close(fd);
		free(memory);
		free(model);
	} while (countdown <= 0);
	ck_assert_int_ge(calls, 8);
}
END_TEST

START_TEST(no_memory_means_plain_writes)
{
	/* Expects the bytes by the kernel, and the reason. */
	int fd = begin(O_WRONLY);

	fake_fault(CALL_map, 1, 1000, -ENOMEM);
	expect_write(fd, LARGE, 0, LARGE);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_NO_MEMORY);
}
END_TEST

START_TEST(description_that_others_may_have_is_the_kernels)
{
	/* Expects its own offset to be moved by the kernel, with the bytes, and the reason. */
	int fd = begin(O_WRONLY);

	engine_passes_on();
	expect_write(fd, LARGE, 0, LARGE);
	ck_assert_int_gt(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_NONE);
	fake.calls[CALL_lseek] = fake.calls[CALL_pwrite] = 0;
	ck_assert_int_eq(direct_write(engine_file(fd), fd, memory, LARGE, -1), FORWARD);
	ck_assert_uint_eq(fake.calls[CALL_lseek] + fake.calls[CALL_pwrite], 0);
	ck_assert_int_eq(atomic_load(&engine_file(fd)->reason), REASON_INHERITED);
}
END_TEST

static void strike(enum fake_call call)
{
	static int pieces;

	if (call != CALL_pwrite)
		return;
	if (++pieces == 2)
		fake_send_signal(SIGTERM);
	ck_assert_uint_eq(fake.signals, pieces > 2);
}

START_TEST(signal_that_ends_the_program_is_let_in_between_blocks)
{
	/* Expects it to be there before the next block, and who survives it to write all. */
	int fd = begin_with("* direct,block=64K", O_WRONLY);

	fake.deadly = SIGTERM;
	fake.before = strike;
	expect_write(fd, LARGE, -1, LARGE);
	ck_assert_uint_eq(fake.signals, 1);
}
END_TEST

UNIT_MAIN("direct_write", aligned_middle_is_direct_and_edges_buffered, write_at_own_offset_moves_it,
	  close_leaves_no_page, small_writes_go_through_the_cache,
	  cached_page_in_the_range_keeps_the_write_buffered, cached_page_elsewhere_does_not_matter,
	  nokeep_makes_room_first, unknown_residency_keeps_the_write_buffered,
	  append_is_the_kernels, durable_writes_are_the_kernels, append_set_later_is_seen,
	  size_limit_is_the_kernels, mapped_file_is_written_through_the_cache,
	  bad_direct_writes_are_finished_by_the_kernel, full_disk_gives_the_kernels_count_and_error,
	  bad_buffer_is_the_kernels_to_refuse, read_only_descriptor_is_forwarded,
	  offset_beyond_all_is_the_kernels, offset_is_exact_where_others_move_it,
	  no_memory_means_plain_writes, description_that_others_may_have_is_the_kernels,
	  signal_that_ends_the_program_is_let_in_between_blocks)
