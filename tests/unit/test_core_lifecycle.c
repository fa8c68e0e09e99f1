/* test_core_lifecycle.c - records as descriptors come, go and change under the engine. */
#include "fake_program.h"
#include "log.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { BLOCK = 128 << 10 };

static struct fake_file *disk;

static int begin(const char *log)
{
	disk = fake_file("/data/x", 40 * MIB);
	program_begin("/data/* dontneed", log);
	return program_open(disk, O_RDONLY);
}

/* Lines of the log with `word`. */
static int lines(const char *word)
{
	int n = 0;

	for (const char *at = program_log("/log"); (at = strstr(at, word)); at++)
		n++;
	return n;
}

static int drops_of(const struct fake_file *file)
{
	int n = 0;

	for (int i = 0; i < fake.steps; i++)
		n += fake.step[i].file == file && fake.step[i].call == CALL_advise &&
		     fake.step[i].advice == POSIX_FADV_DONTNEED;
	return n;
}

START_TEST(duplicates_share_a_record)
{
	/* Expects one record for all, kept until the last close, which finishes it once. */
	int fd = begin("/log"), copy = program_dup(fd), third = program_dup(copy);

	ck_assert_ptr_eq(engine_file(copy), engine_file(fd));
	ck_assert_ptr_eq(engine_file(third), engine_file(fd));
	program_read_all(copy, BLOCK, 0, MIB);
	program_close(fd);
	program_close(third);
	ck_assert_int_eq(lines("type=file"), 0);
	ck_assert_int_gt(disk->own, 0);
	program_close(copy);
	ck_assert_int_eq(lines("type=file"), 1);
	ck_assert_int_eq(lines(" read=1048576 "), 1);
	ck_assert_int_eq(disk->own, 0);
}
END_TEST

START_TEST(duplicate_onto_an_open_number_lets_the_old_go)
{
	/* Expects the record of a number that was closed unseen to be left behind. */
	int fd = begin(NULL), other = program_open(fake_file("/data/y", MIB), O_RDONLY);

	fake_close(other);
	ck_assert_int_eq(program_dup(fd), other);
	ck_assert_ptr_eq(engine_file(other), engine_file(fd));
}
END_TEST

START_TEST(exit_finishes_each_record_once)
{
	/* Expects one line a file however many descriptors it has, and one of the process. */
	int fd = begin("/log");

	program_dup(fd);
	program_read_all(fd, BLOCK, 0, 10 * MIB);
	engine_exit();
	engine_exit();
	ck_assert_int_eq(lines("type=file"), 1);
	ck_assert_int_eq(lines("type=process"), 1);
	ck_assert_int_eq(lines(" files=1 read=10485760 "), 1);
	ck_assert_int_eq(disk->own, 0);
	program_close(fd);
	ck_assert_int_eq(lines("type=file"), 1);
}
END_TEST

START_TEST(closed_range_finishes_its_files)
{
	/* Expects close_range to leave nothing of the files in it, and the others alone. */
	int fd = begin("/log"), other = program_open(fake_file("/data/y", MIB), O_RDONLY);

	program_read_all(fd, BLOCK, 0, MIB);
	engine_closing_range((unsigned)fd, (unsigned)fd);
	ck_assert_int_eq(disk->own, 0);
	ck_assert_uint_eq(fdtab_get(fd), FD_UNKNOWN);
	ck_assert_uint_gt(fdtab_get(other), FD_ALONE);
	ck_assert_int_eq(lines("type=file"), 1);
}
END_TEST

START_TEST(number_closed_and_opened_unseen_is_another_file)
{
	/* Expects the file that took over a number to be left alone, and the reason. */
	int fd = begin(NULL);
	struct fake_file *other = fake_file("/data/y", 40 * MIB);

	program_read_all(fd, BLOCK, 0, 5 * MIB);
	fake_warm(other, 0, 20 * MIB);
	fake.fd[fd]->file = other;
	fake.steps = 0;
	program_read_all(fd, BLOCK, 5 * MIB, other->size);
	ck_assert_int_eq(program_reason(fd), REASON_CHANGED);
	program_close(fd);
	ck_assert_int_eq(drops_of(other), 0);
	ck_assert_int_eq(fake_bytes(other, THEIRS, 0, other->size), 20 * MIB);
}
END_TEST

START_TEST(written_number_that_changed_is_left_alone)
{
	/* Expects the same of a writer. */
	struct fake_file *other = fake_file("/data/y", 0);
	int fd = begin(NULL);

	program_write_all(fd, BLOCK, 0, 5 * MIB);
	fake.fd[fd]->file = other;
	fake.steps = 0;
	program_write_all(fd, BLOCK, 0, 20 * MIB);
	program_close(fd);
	ck_assert_int_eq(fake_step_of(CALL_writeout, other), -1);
	ck_assert_int_eq(drops_of(other), 0);
}
END_TEST

START_TEST(refused_statx_ends_a_stream)
{
	/* Expects no advice on what cannot be confirmed. */
	int fd = begin(NULL);

	program_read_all(fd, BLOCK, 0, 5 * MIB);
	fake_fault(CALL_stat, 1, 1000, -ENOSYS);
	fake.steps = 0;
	program_read_all(fd, BLOCK, 5 * MIB, disk->size);
	program_close(fd);
	ck_assert_int_eq(fake_step_of(CALL_advise, disk), -1);
}
END_TEST

START_TEST(new_file_on_a_stale_number_gets_its_own_record)
{
	/* Expects open to replace the record of a number that was closed unseen. */
	int fd = begin(NULL);
	struct fake_file *other = fake_file("/data/y", MIB);

	fake_close(fd);
	ck_assert_int_eq(program_open(other, O_RDONLY), fd);
	ck_assert_uint_eq(engine_file(fd)->ino, other->ino);
}
END_TEST

START_TEST(child_of_a_fork_leaves_the_parents_pages)
{
	/* Expects a child that only closes to drop and to log nothing, one that reads to log it. */
	int fd = begin("/log"), other = program_open(disk, O_RDONLY);
	int64_t held;

	program_read_all(fd, BLOCK, 0, 2 * MIB);
	fake_fork();
	fake.steps = 0;
	held = disk->own;
	program_close(fd);
	ck_assert_int_eq(lines("type=file"), 0);
	program_read(other, 4096, -1);
	program_close(other);
	ck_assert_int_eq(lines("type=file"), 1);
	ck_assert_int_eq(drops_of(disk), 0);
	ck_assert_int_ge(disk->own, held);
}
END_TEST

START_TEST(child_of_a_fork_counts_its_own)
{
	/* Expects the child's records to have what the child read. */
	int fd = begin("/log");

	program_read_file(fake_file("/data/y", MIB + PAGE), BLOCK);
	program_read_all(fd, BLOCK, 0, 2 * MIB);
	fake_fork();
	program_read_all(fd, BLOCK, 2 * MIB, 3 * MIB);
	engine_exit();
	ck_assert_int_eq(lines(" read=1048576 "), 2);
	ck_assert_int_eq(lines("type=process"), 1);
	ck_assert_int_eq(lines(" pid=101 "), 2);
}
END_TEST

START_TEST(child_of_a_fork_handles_what_it_uses_first)
{
	/* Expects its first use of a file to be seen, whoever opened that. */
	struct fake_file *other = fake_file("/data/y", MIB);
	int before, after;

	begin(NULL);
	before = program_open(other, O_RDONLY);
	fake_fork();
	ck_assert_ptr_nonnull(engine_file(before));
	ck_assert(file_is_passed(engine_file(before)));
	fake_fork();
	after = program_open(other, O_RDONLY);
	ck_assert_ptr_nonnull(engine_file(after));
	ck_assert(!file_is_passed(engine_file(after)));
}
END_TEST

START_TEST(vfork_child_changes_nothing)
{
	/* Expects the parent's records to be there after a child in its memory closed them. */
	int fd = begin(NULL), other;

	fake_vfork();
	engine_closing(fd, false);
	engine_closing_range(0, 100);
	engine_duplicated(fd, fd + 1);
	other = program_open(fake_file("/data/y", MIB), O_RDONLY);
	ck_assert_ptr_null(engine_file(other));
	engine_exit();
	fake.pid = 100;
	ck_assert_uint_gt(fdtab_get(fd), FD_ALONE);
	ck_assert_uint_eq(engine_file(fd)->refs, 1);
	ck_assert(!fdtab_is_record(fdtab_get(fd + 1)));
}
END_TEST

START_TEST(child_gets_the_kernels_readahead_back)
{
	/* Expects the advice of ours to be taken back where a child inherits the descriptor. */
	int fd = begin(NULL);

	program_read_all(fd, BLOCK, 0, 5 * MIB);
	ck_assert(fake.fd[fd]->random);
	engine_child();
	ck_assert(!fake.fd[fd]->random);
	program_read_all(fd, BLOCK, 5 * MIB, disk->size);
	program_close(fd);
	ck_assert_int_eq(disk->own, 0);
}
END_TEST

START_TEST(exec_that_fails_goes_on)
{
	/* Expects what is read after a failed exec to be counted and released. */
	int fd = begin("/log");

	program_read_all(fd, BLOCK, 0, 5 * MIB);
	engine_exec();
	ck_assert_int_eq(lines("type=file"), 1);
	engine_exec_failed();
	program_read_all(fd, BLOCK, 5 * MIB, 6 * MIB);
	program_close(fd);
	ck_assert_int_eq(lines("type=file"), 2);
	ck_assert_int_eq(lines(" read=1048576 "), 1);
	ck_assert_int_eq(disk->own, 0);
}
END_TEST

START_TEST(mapped_file_is_released_after_the_unmap)
{
	/* Expects mapped pages to stay until they are unmapped, and to be gone then. */
	int fd = begin(NULL);

	engine_mapped(engine_file(fd), false);
	pages_bring_in(disk, 0, 8 * MIB, MAPPED);
	program_close(fd);
	ck_assert_int_eq(disk->own, 8 * MIB);
	for (int64_t i = 0; i < 8 * MIB / PAGE; i++)
		disk->pages[i] &= (unsigned char)~MAPPED;
	engine_unmapped(8 * MIB);
	ck_assert_int_eq(disk->own, 0);
}
END_TEST

UNIT_MAIN("core_lifecycle", duplicates_share_a_record,
	  duplicate_onto_an_open_number_lets_the_old_go, exit_finishes_each_record_once,
	  closed_range_finishes_its_files, number_closed_and_opened_unseen_is_another_file,
	  written_number_that_changed_is_left_alone, refused_statx_ends_a_stream,
	  new_file_on_a_stale_number_gets_its_own_record, child_of_a_fork_leaves_the_parents_pages,
	  child_of_a_fork_counts_its_own, child_of_a_fork_handles_what_it_uses_first,
	  vfork_child_changes_nothing, child_gets_the_kernels_readahead_back,
	  exec_that_fails_goes_on, mapped_file_is_released_after_the_unmap)
