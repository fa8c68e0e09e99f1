/* test_core_direct_copy.c - a copy inside one call, both sides past the page cache. */
#include "bounce.h"
#include "direct.h"
#include "fake_program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 6 * 1024 * 1024 };

static struct fake_file *source, *target;
static int in, out;
static int64_t in_at, out_at;

static void begin_with(const char *rule, int64_t target_size, int flags)
{
	source = program_disk_file("/data/from", SIZE);
	target = program_disk_file("/data/to", target_size);
	memset(target->data, 't', (size_t)target_size);
	program_begin(rule, NULL);
	in = program_open(source, O_RDONLY);
	out = program_open(target, flags);
}

static void begin(int64_t target_size)
{
	begin_with("* direct", target_size, O_WRONLY);
}

/* Copies; both ends must stand behind what was copied, which is in the target, and counted. */
static int64_t copy(int64_t from, int64_t to, int64_t n)
{
	struct direct_end a = {engine_file(in), in, from, false},
			  b = {engine_file(out), out, to, false};
	int64_t before = program_direct(out), taken = program_direct(in);
	int64_t copied = direct_copy(&a, &b, n);

	in_at = a.at;
	out_at = b.at;
	ck_assert_int_eq(in_at, from + copied);
	ck_assert_int_eq(out_at, to + copied);
	ck_assert((program_direct(out) - before) % larger(copied, 1) == 0);
	ck_assert((program_direct(in) - taken) % larger(copied, 1) == 0);
	ck_assert_int_eq(fake_offset(out), 0);
	ck_assert(!copied || target->size >= to + copied);
	if (copied)
		ck_assert_int_eq(memcmp(target->data + to, source->data + from, (size_t)copied), 0);
	return copied;
}

/* The reason that is noted, though nothing moved yet. */
static enum reason noted(int fd)
{
	struct file *file = engine_file(fd);

	return file ? (enum reason)atomic_load(&file->reason) : REASON_NO_RULE;
}

static void expect_not_copied(enum reason reason)
{
	copy(0, 0, SIZE);
	ck_assert_int_eq(program_direct(out), 0);
	ck_assert_int_eq(noted(out), reason);
}

START_TEST(whole_blocks_are_copied)
{
	/* Expects all of it but the last odd piece, and no page of either cached. */
	begin(0);
	fake_truncate(source, SIZE - 100);
	ck_assert_int_eq(copy(0, 0, SIZE), SIZE - PAGE);
	ck_assert_int_eq(target->size, SIZE - PAGE);
	ck_assert_int_eq(fake_bytes(target, CACHED, 0, SIZE), 0);
}
END_TEST

START_TEST(part_of_a_file_is_copied_into_another)
{
	/* Expects only the range, at another offset, in a file that has more before and behind. */
	begin(SIZE);
	ck_assert_int_eq(copy(MIB, 2 * MIB, 3 * MIB), 3 * MIB);
	ck_assert_int_eq(target->data[2 * MIB - 1], 't');
	ck_assert_int_eq(target->data[5 * MIB], 't');
	ck_assert_int_eq(target->size, SIZE);
}
END_TEST

START_TEST(odd_offsets_are_copied_right)
{
	/* Expects right bytes from and to anywhere, and nothing from before the start. */
	begin(0);
	copy(100, 0, 3 * MIB);
	copy(0, 100, 3 * MIB);
	ck_assert_int_eq(copy(-PAGE, 0, 3 * MIB), 0);
}
END_TEST

START_TEST(small_copies_are_not_worth_it)
{
	/* Expects nothing below 1 MiB, counted to the end of the source. */
	begin(0);
	ck_assert_int_eq(copy(0, 0, MIB - PAGE), 0);
	ck_assert_int_eq(copy(SIZE - 512 * KIB, 0, 3 * MIB), 0);
	ck_assert_int_eq(copy(SIZE, 0, 3 * MIB), 0);
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_int_eq(copy(0, 0, MIB), MIB);
}
END_TEST

START_TEST(auto_copies_only_large_files)
{
	/* Expects 16 MiB and huge pages under auto. */
	begin_with("* auto", 0, O_WRONLY);
	ck_assert_int_eq(copy(0, 0, SIZE), 0);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(source_may_keep_its_cache)
{
	/* Expects a cached target not to be copied over, a cached source to be copied from. */
	begin(SIZE);
	fake_warm(target, 3 * MIB, 3 * MIB + 1);
	copy(0, 0, SIZE);
	ck_assert_int_eq(program_direct(out), 0);
	ck_assert_int_eq(noted(out), REASON_CACHED);
	ck_assert_int_eq(target->evicted, 0);
}
END_TEST

START_TEST(durable_target_is_not_written_past_the_cache)
{
	/* Expects O_DSYNC, O_APPEND, a limit of sizes, and mappings to keep the copy the kernel's.
	 */
	begin_with("* direct", SIZE, O_WRONLY | O_DSYNC);
	expect_not_copied(REASON_OWN_DIRECT);
}
END_TEST

START_TEST(mapped_side_is_not_direct)
{
	/* Expects a mapping of either to keep the copy the kernel's. */
	begin(SIZE);
	engine_mapped(engine_file(out), true);
	expect_not_copied(REASON_MAPPED);
	begin(SIZE);
	engine_mapped(engine_file(in), false);
	copy(0, 0, SIZE);
	ck_assert_int_eq(program_direct(in), 0);
}
END_TEST

START_TEST(size_limit_keeps_the_copy_the_kernels)
{
	/* Expects the reason. */
	begin(SIZE);
	fake.file_limit = MIB;
	expect_not_copied(REASON_SIZE_LIMIT);
}
END_TEST

START_TEST(one_file_onto_itself_by_one_description_is_not_copied)
{
	/* Expects nothing where both ends are one record. */
	int fd;

	begin(SIZE);
	fd = program_open(source, O_RDWR);
	ck_assert_int_eq(direct_copy(&(struct direct_end){engine_file(fd), fd, 0, false},
				     &(struct direct_end){engine_file(fd), fd, 2 * MIB, false},
				     3 * MIB),
			 0);
}
END_TEST

/* Pages of the target in [from, to) that are holes. */
static int64_t holes(int64_t from, int64_t to)
{
	int64_t n = 0;

	for (; from < to; from += PAGE)
		n += fake_is_hole(target, from);
	return n;
}

START_TEST(holes_stay_holes)
{
	/* Expects the same pages to be holes in a new target, each data page to be there. */
	begin(0);
	fake_hole(source, 0, MIB);
	fake_hole(source, 2 * MIB, 3 * MIB);
	fake_hole(source, 4 * MIB, 4 * MIB + PAGE);
	ck_assert_int_eq(copy(0, 0, SIZE), SIZE);
	for (int64_t at = 0; at < SIZE; at += PAGE)
		ck_assert_int_eq(fake_is_hole(target, at), fake_is_hole(source, at));
}
END_TEST

START_TEST(source_that_ends_in_a_hole_keeps_its_size)
{
	/* Expects the target to be as long, with no more than the last block written of the hole.
	 */
	begin(0);
	fake_hole(source, MIB, SIZE);
	ck_assert_int_eq(copy(0, 0, SIZE), SIZE);
	ck_assert_int_eq(target->size, SIZE);
	ck_assert_int_ge(holes(MIB, SIZE), (SIZE - MIB) / PAGE - 1);
}
END_TEST

START_TEST(source_of_nothing_keeps_its_size)
{
	/* Expects the same of a source that is one hole. */
	begin(0);
	fake_hole(source, 0, SIZE);
	ck_assert_int_eq(copy(0, 0, SIZE), SIZE);
	ck_assert_int_eq(target->size, SIZE);
	ck_assert_int_ge(holes(0, SIZE), SIZE / PAGE - 1);
}
END_TEST

START_TEST(hole_over_old_bytes_is_written)
{
	/* Expects zeros where the target had bytes, and a hole only behind its old end. */
	begin(2 * MIB);
	fake_hole(source, 0, MIB);
	fake_hole(source, 2 * MIB - PAGE, 5 * MIB);
	ck_assert_int_eq(copy(0, 0, SIZE), SIZE);
	ck_assert_int_eq(holes(0, 2 * MIB), 0);
	ck_assert_int_eq(holes(2 * MIB, SIZE), 3 * MIB / PAGE);
}
END_TEST

START_TEST(hole_that_nothing_was_written_behind_is_undone)
{
	/* Expects the copy to end before a hole whose data could not be written: the size is right.
	 */
	begin(0);
	fake_hole(source, 2 * MIB, 4 * MIB);
	target->full_at = 3 * MIB;
	ck_assert_int_eq(copy(0, 0, SIZE), 2 * MIB);
	ck_assert_int_eq(target->size, 2 * MIB);
}
END_TEST

START_TEST(full_disk_ends_the_copy)
{
	/* Expects what was written, whole blocks of it, and the kernel to be asked for the rest. */
	begin(0);
	target->full_at = 3 * MIB + PAGE + 77;
	ck_assert_int_eq(copy(0, 0, SIZE), 3 * MIB + PAGE);
	ck_assert_int_eq(target->size, 3 * MIB + PAGE);
}
END_TEST

START_TEST(bad_source_ends_the_copy)
{
	/* Expects what could be read before, in whole blocks. */
	int64_t copied;

	begin(0);
	source->bad_from = 3 * MIB + 1000;
	source->bad_to = source->bad_from + 1;
	copied = copy(0, 0, SIZE);
	ck_assert_int_ge(copied, 2 * MIB);
	ck_assert_int_le(copied, 3 * MIB);
}
END_TEST

START_TEST(unknown_holes_are_read)
{
	/* Expects every byte where the kernel does not say where data is. */
	begin(0);
	fake_hole(source, 3 * MIB, 5 * MIB);
	fake_fault(CALL_lseek, 1, 1000, -EINVAL);
	ck_assert_int_eq(copy(0, 0, SIZE), SIZE);
	ck_assert_int_eq(target->size, SIZE);
}
END_TEST

static void shrink(enum fake_call call)
{
	if (call == CALL_pread && source->size == SIZE)
		fake_truncate(source, 2 * MIB + 100);
}

START_TEST(source_cut_in_the_middle_of_the_copy_ends_it)
{
	/* Expects at most the whole blocks that are left. */
	begin(0);
	fake.before = shrink;
	ck_assert_int_le(copy(0, 0, SIZE), 2 * MIB);
}
END_TEST

START_TEST(short_direct_transfers_end_the_copy_at_a_block)
{
	/* Expects whatever was copied to be right, whichever transfer falls short or fails. */
	static const long results[] = {0, 512, 4096, 10000, -EIO};

	for (int call = CALL_pread; call <= CALL_pwrite; call++)
		for (int nth = 1; nth < 5; nth++)
			for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
				begin_with("* direct,block=1M", 0, O_WRONLY);
				fake_forget_faults();
				fake_fault((enum fake_call)call, nth, 1, results[i]);
				ck_assert_int_eq(copy(0, 0, SIZE) % PAGE, 0);
				ck_assert_int_eq(target->size, out_at);
				program_close(in);
				program_close(out);
				free(source->data);
				free(target->data);
				fake.files = 0;
			}
}
END_TEST

START_TEST(copy_does_not_spoil_a_stream)
{
	/* Expects the program's reading of the source to go on right after a copy. */
	char bytes[4096];

	begin(0);
	program_read_into(in, bytes, 4096, -1);
	program_seek(in, 0);
	source->data[5000] ^= 1;
	ck_assert_int_eq(copy(0, 0, 3 * MIB), 3 * MIB);
	program_seek(in, 4096);
	program_read_into(in, bytes, 4096, -1);
	ck_assert_int_eq(memcmp(bytes, source->data + 4096, 4096), 0);
}
END_TEST

/* A direct write that has begun is done to its end, even for who is killed. */
static void expect_offset(enum fake_call call)
{
	if (call == CALL_pwrite)
		ck_assert_int_gt(fake_offset(out), target->size);
	else if (call != CALL_lseek)
		ck_assert_int_eq(fake_offset(out), target->size);
}

START_TEST(own_offsets_stand_where_the_bytes_end_at_every_write)
{
	/* Expects both to be moved piece by piece, right before each. */
	struct direct_end a, b;

	begin_with("* direct,block=1M", 0, O_WRONLY);
	a = (struct direct_end){engine_file(in), in, 0, true};
	b = (struct direct_end){engine_file(out), out, 0, true};
	fake.before = expect_offset;
	ck_assert_int_eq(direct_copy(&a, &b, source->size), align_down(source->size, PAGE));
	ck_assert_int_eq(fake_offset(in), a.at);
	ck_assert_int_eq(fake_offset(out), b.at);
	ck_assert_uint_gt(fake.calls[CALL_pwrite], 2);
}
END_TEST

UNIT_MAIN("direct_copy", whole_blocks_are_copied, part_of_a_file_is_copied_into_another,
	  odd_offsets_are_copied_right, small_copies_are_not_worth_it, auto_copies_only_large_files,
	  source_may_keep_its_cache, durable_target_is_not_written_past_the_cache,
	  mapped_side_is_not_direct, size_limit_keeps_the_copy_the_kernels,
	  one_file_onto_itself_by_one_description_is_not_copied, holes_stay_holes,
	  source_that_ends_in_a_hole_keeps_its_size, source_of_nothing_keeps_its_size,
	  hole_over_old_bytes_is_written, hole_that_nothing_was_written_behind_is_undone,
	  full_disk_ends_the_copy, bad_source_ends_the_copy, unknown_holes_are_read,
	  source_cut_in_the_middle_of_the_copy_ends_it,
	  short_direct_transfers_end_the_copy_at_a_block, copy_does_not_spoil_a_stream,
	  own_offsets_stand_where_the_bytes_end_at_every_write)
