/* test_core_tables.c - objects, slots, records and the process that owns them. */
#include "fake_program.h"
#include "pool.h"
#include "process.h"
#include "scratch.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>

enum { FOREVER = 1 << 30 };

static struct pool pool = {.size = 24};

START_TEST(pool_gives_distinct_objects_of_zeros)
{
	/* Expects 200 objects that share no byte, from as few blocks as hold them. */
	void *object[200];

	for (int i = 0; i < 200; i++) {
		object[i] = pool_take(&pool);
		for (int k = 0; k < 24; k++)
			UNIT_HOLDS(((char *)object[i])[k] == 0);
		memset(object[i], i + 1, 24);
	}
	for (int i = 0; i < 200; i++)
		ck_assert_uint_eq(((unsigned char *)object[i])[23], (unsigned char)(i + 1));
	ck_assert_uint_eq(fake.calls[CALL_map], 4);
}
END_TEST

START_TEST(pool_takes_again_what_was_given)
{
	/* Expects a given object to be the next, in any block, and no new memory. */
	void *object[100];

	for (int i = 0; i < 100; i++)
		object[i] = pool_take(&pool);
	pool_give(&pool, object[90]);
	ck_assert_ptr_eq(pool_take(&pool), object[90]);
	pool_give(&pool, object[3]);
	ck_assert_ptr_eq(pool_take(&pool), object[3]);
	ck_assert_uint_eq(fake.calls[CALL_map], 2);
}
END_TEST

START_TEST(pool_without_memory_gives_null)
{
	/* Expects NULL where a block cannot be had, and objects once it can. */
	fake_fault(CALL_map, 1, 1, -ENOMEM);
	ck_assert_ptr_null(pool_take(&pool));
	ck_assert_ptr_nonnull(pool_take(&pool));
	fake_fault(CALL_map, 1, 1, -ENOMEM);
	for (int i = 1; i < 64; i++)
		ck_assert_ptr_nonnull(pool_take(&pool));
	ck_assert_ptr_null(pool_take(&pool));
}
END_TEST

static void count_object(void *object, void *data)
{
	(void)object;
	++*(int *)data;
}

START_TEST(pool_visits_what_is_taken)
{
	/* Expects each taken object once, those given back not. */
	void *object[70];
	int seen = 0;

	for (int i = 0; i < 70; i++)
		object[i] = pool_take(&pool);
	pool_give(&pool, object[0]);
	pool_give(&pool, object[69]);
	pool_each(&pool, count_object, &seen);
	ck_assert_int_eq(seen, 68);
}
END_TEST

START_TEST(scratch_buffers_are_few_and_come_back)
{
	/* Expects 8 buffers, then NULL, and all of them again after a fork. */
	char *taken[8];

	for (int i = 0; i < 8; i++)
		ck_assert_ptr_nonnull(taken[i] = scratch_take());
	ck_assert_ptr_null(scratch_take());
	scratch_give(NULL);
	ck_assert_ptr_null(scratch_take());
	scratch_give(taken[5]);
	ck_assert_ptr_eq(scratch_take(), taken[5]);
	scratch_forked();
	for (int i = 0; i < 8; i++)
		ck_assert_ptr_nonnull(scratch_take());
}
END_TEST

START_TEST(table_grows_a_chunk_at_a_time)
{
	/* Expects memory for the chunk of a number that is put, and none for looking. */
	ck_assert_uint_eq(fdtab_get(500000), FD_UNKNOWN);
	ck_assert_uint_eq(fdtab_swap(5, 4096), FD_UNKNOWN);
	ck_assert_uint_eq(fake.calls[CALL_map], 0);
	ck_assert_uint_eq(fdtab_swap(500000, 8192), FD_UNKNOWN);
	ck_assert_uint_eq(fdtab_swap(500001, 8192), FD_UNKNOWN);
	ck_assert_uint_eq(fake.calls[CALL_map], 1);
	ck_assert_uint_eq(fdtab_get(500000), 8192);
	ck_assert_uint_eq(fdtab_get(5), 4096);
}
END_TEST

START_TEST(numbers_out_of_range_are_left_alone)
{
	/* Expects FD_ALONE and no change below 0 and from the limit on. */
	static const int numbers[] = {-1, -100, FDTAB_LIMIT, INT32_MAX, INT32_MIN};

	for (int i = 0; i < 5; i++) {
		ck_assert_uint_eq(fdtab_get(numbers[i]), FD_ALONE);
		ck_assert_uint_eq(fdtab_swap(numbers[i], 4096), FD_ALONE);
		ck_assert(!fdtab_change(numbers[i], FD_UNKNOWN, 4096));
	}
	ck_assert_uint_eq(fdtab_swap(FDTAB_LIMIT - 1, 4096), FD_UNKNOWN);
	ck_assert_uint_eq(fdtab_get(FDTAB_LIMIT - 1), 4096);
}
END_TEST

START_TEST(slot_changes_only_from_what_it_was)
{
	/* Expects a change from another value to do nothing. */
	ck_assert(fdtab_change(7, FD_UNKNOWN, 4096));
	ck_assert(!fdtab_change(7, FD_UNKNOWN, 8192));
	ck_assert_uint_eq(fdtab_get(7), 4096);
	ck_assert(fdtab_change(7, 4096, FD_UNKNOWN));
}
END_TEST

START_TEST(table_without_memory_leaves_numbers_alone)
{
	/* Expects no slot, and no crash, where a chunk cannot be had. */
	fake_fault(CALL_map, 1, FOREVER, -ENOMEM);
	ck_assert_uint_eq(fdtab_swap(5000, 4096), FD_ALONE);
	ck_assert(!fdtab_change(5000, FD_UNKNOWN, 4096));
	ck_assert_uint_eq(fdtab_get(5000), FD_UNKNOWN);
}
END_TEST

static void sum_numbers(int fd, uintptr_t slot, void *data)
{
	ck_assert_uint_gt(slot, FD_ALONE);
	*(int64_t *)data += fd;
}

START_TEST(table_visits_the_records_of_a_range)
{
	/* Expects both ends to count, and slots without a record not to. */
	static const int numbers[] = {3, 10, 1023, 1024, 5000};
	int64_t sum = 0;

	for (int i = 0; i < 5; i++)
		fdtab_swap(numbers[i], 4096);
	fdtab_swap(11, FD_ALONE);
	fdtab_each(10, 1024, sum_numbers, &sum);
	ck_assert_int_eq(sum, 10 + 1023 + 1024);
	fdtab_each(1025, UINT32_MAX, sum_numbers, &sum);
	ck_assert_int_eq(sum, 10 + 1023 + 1024 + 5000);
}
END_TEST

static struct file *record_of(uint64_t ino)
{
	struct statx st = {.stx_ino = ino, .stx_dev_major = 8, .stx_dev_minor = 1};

	return file_new(&st);
}

START_TEST(record_is_freed_by_its_last_reference)
{
	/* Expects only the last of two to be told that it is. */
	struct file *file = record_of(1);

	file_ref(file);
	ck_assert(!file_unref(file));
	ck_assert(file_unref(file));
	file_free(file);
}
END_TEST

START_TEST(records_of_one_inode_know_each_other)
{
	/* Expects another record of the file, never itself, and a lock on any to be seen. */
	struct file *first = record_of(1), *second = record_of(1), *third = record_of(2);

	ck_assert_ptr_eq(file_twin_of(first), second);
	ck_assert_ptr_null(file_twin_of(third));
	second->locked = true;
	ck_assert(file_is_locked(first));
	ck_assert(!file_is_locked(third));
	file_unref(second);
	ck_assert_ptr_null(file_twin_of(first));
	ck_assert(!file_is_locked(first));
}
END_TEST

START_TEST(record_is_confirmed_by_device_and_inode)
{
	/* Expects another inode, another device and a refused statx not to be the file. */
	struct fake_file *disk = fake_file("/data/x", 1);
	int fd = fake_open(disk, O_RDONLY);
	struct file *file;
	struct statx st;

	sys_stat(fd, &st);
	file = file_new(&st);
	ck_assert(file_confirm(file, fd, &st));
	disk->minor++;
	ck_assert(!file_confirm(file, fd, &st));
	disk->minor--;
	disk->ino++;
	ck_assert(!file_confirm(file, fd, &st));
	disk->ino--;
	ck_assert(file_confirm(file, fd, &st));
	fake_fault(CALL_stat, 1, 1, -ENOSYS);
	ck_assert(!file_confirm(file, fd, &st));
	ck_assert(!file_confirm(file, 99, &st));
}
END_TEST

START_TEST(record_is_held_by_one)
{
	/* Expects a held record to be refused until it is released. */
	struct file *file = record_of(1);

	ck_assert(file_hold(file));
	ck_assert(!file_hold(file));
	file_release(file);
	ck_assert(file_hold(file));
}
END_TEST

START_TEST(fork_and_vfork_are_told_apart)
{
	/* Expects a fork child to be new until it owns its copy, a vfork child to own nothing. */
	process_begin();
	ck_assert(process_is_owner() && !process_is_new());
	fake_vfork();
	ck_assert(!process_is_owner() && !process_is_new());
	fake.pid = 100;
	fake_fork();
	ck_assert(process_is_new() && !process_is_owner());
	process_own();
	ck_assert(process_is_owner() && !process_is_new());
}
END_TEST

START_TEST(old_kernel_takes_each_child_for_a_vfork)
{
	/* Expects a child that changes nothing where no page is wiped or had. */
	fake_fault(CALL_madvise, 1, 1, -EINVAL);
	process_begin();
	fake_fork();
	ck_assert(!process_is_owner() && !process_is_new());
	fake_fault(CALL_map, 1, 1, -ENOMEM);
	process_begin();
	ck_assert(process_is_owner());
}
END_TEST

UNIT_MAIN("core_tables", pool_gives_distinct_objects_of_zeros, pool_takes_again_what_was_given,
	  pool_without_memory_gives_null, pool_visits_what_is_taken,
	  scratch_buffers_are_few_and_come_back, table_grows_a_chunk_at_a_time,
	  numbers_out_of_range_are_left_alone, slot_changes_only_from_what_it_was,
	  table_without_memory_leaves_numbers_alone, table_visits_the_records_of_a_range,
	  record_is_freed_by_its_last_reference, records_of_one_inode_know_each_other,
	  record_is_confirmed_by_device_and_inode, record_is_held_by_one,
	  fork_and_vfork_are_told_apart, old_kernel_takes_each_child_for_a_vfork)
