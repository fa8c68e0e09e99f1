/* test_core_unaligned.c - unaligned requests of a program that asked for O_DIRECT itself. */
#include "fake_program.h"
#include "settle.h"
#include "unaligned.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { ODD = 1000 };

static struct fake_file *disk;
static char memory[8192];

static int begin(const char *rules, int flags)
{
	int fd;

	disk = fake_file("/data/x", 100000);
	fake_store(disk);
	program_begin(rules, NULL);
	fd = program_open(disk, flags);
	fake.fd[fd]->offset = ODD;
	return fd;
}

/* The request that the kernel refused; at most the one twin is left. */
static ssize_t serve(int fd, enum unaligned direction, size_t n, int64_t offset, int flags)
{
	struct iovec iov = {memory, n};
	ssize_t moved = unaligned_serve(engine_file(fd), fd, direction, &iov, 1, offset, flags);

	ck_assert_int_le(fake.hidden, 1);
	return moved;
}

static void expect_refused(int fd, ssize_t moved)
{
	ck_assert_int_eq(moved, FORWARD);
	ck_assert_int_eq(fake_offset(fd), ODD);
	ck_assert_int_eq(disk->size, 100000);
}

static void expect_pattern(int64_t offset, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		UNIT_HOLDS((unsigned char)memory[i] == fake_pattern(offset + i));
}

START_TEST(read_moves_the_programs_own_description)
{
	/* Expects the bytes from where it stands, and it behind them. */
	int fd = begin(NULL, O_RDONLY | O_DIRECT);

	ck_assert_int_eq(serve(fd, UNALIGNED_READ, 777, -1, 0), 777);
	expect_pattern(ODD, 777);
	ck_assert_int_eq(fake_offset(fd), ODD + 777);
	ck_assert_int_eq(fake.fd[fd]->flags, O_RDONLY | O_DIRECT);
}
END_TEST

START_TEST(positional_read_leaves_the_description)
{
	/* Expects the bytes of the range, and the offset as it was. */
	int fd = begin("* direct", O_RDONLY | O_DIRECT);

	ck_assert_int_eq(serve(fd, UNALIGNED_READ, 777, 5, 0), 777);
	expect_pattern(5, 777);
	ck_assert_int_eq(fake_offset(fd), ODD);
}
END_TEST

START_TEST(write_moves_the_programs_own_description)
{
	/* Expects the bytes in the file, and the description behind them. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	memset(memory, 'x', sizeof(memory));
	ck_assert_int_eq(serve(fd, UNALIGNED_WRITE, 777, -1, 0), 777);
	ck_assert_mem_eq(disk->data + ODD, memory, 777);
	ck_assert_uint_eq(disk->data[ODD + 777], fake_pattern(ODD + 777));
	ck_assert_int_eq(fake_offset(fd), ODD + 777);
}
END_TEST

START_TEST(appended_bytes_leave_the_description_at_the_end)
{
	/* Expects O_APPEND to write at the end and to move the description there. */
	int fd = begin(NULL, O_RDWR | O_DIRECT | O_APPEND);

	ck_assert_int_eq(serve(fd, UNALIGNED_WRITE, 777, -1, 0), 777);
	ck_assert_int_eq(disk->size, 100777);
	ck_assert_int_eq(fake_offset(fd), 100777);
}
END_TEST

START_TEST(rwf_append_does_the_same)
{
	/* Expects RWF_APPEND at the description's offset to move it to the end. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	ck_assert_int_eq(serve(fd, UNALIGNED_WRITE, 777, -1, RWF_APPEND), 777);
	ck_assert_int_eq(disk->size, 100777);
	ck_assert_int_eq(fake_offset(fd), 100777);
}
END_TEST

START_TEST(positional_append_leaves_the_description)
{
	/* Expects pwritev2 with RWF_APPEND to write at the end and to move nothing. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	ck_assert_int_eq(serve(fd, UNALIGNED_WRITE, 777, 0, RWF_APPEND), 777);
	ck_assert_int_eq(disk->size, 100777);
	ck_assert_int_eq(fake_offset(fd), ODD);
}
END_TEST

START_TEST(durable_description_has_a_durable_second)
{
	/* Expects O_DSYNC to be kept, O_DIRECT not. */
	int fd = begin(NULL, O_RDWR | O_DIRECT | O_DSYNC), step;

	serve(fd, UNALIGNED_WRITE, 777, -1, 0);
	step = fake_step_of(CALL_openat, disk);
	ck_assert_int_eq(fake.step[step].advice, O_RDWR | O_DSYNC | O_CLOEXEC);
}
END_TEST

START_TEST(error_of_the_transfer_is_the_programs)
{
	/* Expects the kernel's error, and the description where it was. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	fake_fault(CALL_pwritev2, 1, 1, -ENOSPC);
	ck_assert_int_eq(serve(fd, UNALIGNED_WRITE, 777, -1, 0), -ENOSPC);
	ck_assert_int_eq(fake_offset(fd), ODD);
}
END_TEST

START_TEST(short_transfer_moves_as_far_as_it_went)
{
	/* Expects 5 bytes to move the description by 5. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	fake_fault(CALL_preadv2, 1, 1, 5);
	ck_assert_int_eq(serve(fd, UNALIGNED_READ, 777, -1, 0), 5);
	ck_assert_int_eq(fake_offset(fd), ODD + 5);
}
END_TEST

START_TEST(locked_file_is_refused)
{
	/* Expects no second descriptor of a file that any descriptor of the process locked. */
	int fd = begin(NULL, O_RDWR | O_DIRECT), other = program_open(disk, O_RDWR);

	engine_locks(other);
	disk->locked = true;
	expect_refused(fd, serve(fd, UNALIGNED_READ, 777, -1, 0));
	ck_assert_uint_eq(fake.calls[CALL_openat], 0);
}
END_TEST

START_TEST(file_that_was_locked_unseen_is_refused)
{
	/* Expects no twin of a file that has locks, whoever took them. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	disk->locked = true;
	expect_refused(fd, serve(fd, UNALIGNED_READ, 777, -1, 0));
	ck_assert_uint_eq(fake.calls[CALL_openat], 0);
}
END_TEST

START_TEST(twin_stays_for_the_next_request_and_goes_with_the_descriptor)
{
	/* Expects one open for many requests, and nothing left after the program's close. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(serve(fd, UNALIGNED_READ, 777, -1, 0), 777);
	ck_assert_uint_eq(fake.calls[CALL_openat], 1);
	program_close(fd);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(other_policies_leave_the_error)
{
	/* Expects only auto and direct to serve. */
	int fd = begin("* dontneed", O_RDWR | O_DIRECT);

	expect_refused(fd, serve(fd, UNALIGNED_WRITE, 777, -1, 0));
}
END_TEST

START_TEST(einval_of_a_buffered_descriptor_stands)
{
	/* Expects nothing to be served where O_DIRECT is not what was wrong. */
	int fd = begin(NULL, O_RDWR);

	expect_refused(fd, serve(fd, UNALIGNED_WRITE, 777, -1, 0));
}
END_TEST

static struct fake_file *other;

/* Between the look at the program's descriptor and the second open it means another file. */
static void turn(enum fake_call call)
{
	if (call == CALL_openat)
		fake.fd[3]->file = other;
}

START_TEST(second_description_of_another_inode_is_refused)
{
	/* Expects it to be closed with nothing moved. */
	int fd = begin(NULL, O_RDWR | O_DIRECT);

	other = fake_file("/data/y", 100000);
	fake.before = turn;
	expect_refused(fd, serve(fd, UNALIGNED_WRITE, 777, -1, 0));
	ck_assert_uint_eq(fake.calls[CALL_pwritev2], 0);
	ck_assert_uint_eq(fake.calls[CALL_close], 1);
}
END_TEST

#define REFUSED(name, call, nth, error)                                                            \
	START_TEST(name)                                                                           \
	{                                                                                          \
		int fd = begin(NULL, O_RDWR | O_DIRECT);                                           \
                                                                                                   \
		fake_fault(call, nth, 1, error);                                                   \
		expect_refused(fd, serve(fd, UNALIGNED_WRITE, 777, -1, 0));                        \
	}                                                                                          \
	END_TEST

REFUSED(no_second_descriptor_leaves_the_error, CALL_openat, 1, -EMFILE)
REFUSED(unknown_flags_leave_the_error, CALL_getflags, 1, -EBADF)
REFUSED(refused_statx_leaves_the_error, CALL_stat, 1, -EPERM)
REFUSED(refused_second_statx_leaves_the_error, CALL_stat, 2, -EPERM)
REFUSED(unknown_position_leaves_the_error, CALL_lseek, 1, -ESPIPE)
REFUSED(missing_call_leaves_the_error, CALL_pwritev2, 1, -ENOSYS)

START_TEST(served_bytes_are_a_stream_and_leave_no_pages)
{
	/* Expects what went through the cache to be bounded, and gone after close. */
	struct fake_file *large = fake_file("/data/large", 20 * MIB);
	int fd;

	program_begin(NULL, NULL);
	fd = program_open(large, O_RDONLY | O_DIRECT);
	for (int i = 0; i < 20 * MIB / ODD; i++) {
		engine_reads(engine_file(fd), fd, -1, ODD);
		ck_assert_int_eq(serve(fd, UNALIGNED_READ, ODD, -1, 0), ODD);
		engine_did_read(engine_file(fd), fd, ODD);
	}
	program_close(fd);
	program_expect_bounded(large, 8 * MIB);
}
END_TEST

UNIT_MAIN("core_unaligned", read_moves_the_programs_own_description,
	  positional_read_leaves_the_description, write_moves_the_programs_own_description,
	  appended_bytes_leave_the_description_at_the_end, rwf_append_does_the_same,
	  positional_append_leaves_the_description, durable_description_has_a_durable_second,
	  error_of_the_transfer_is_the_programs, short_transfer_moves_as_far_as_it_went,
	  locked_file_is_refused, file_that_was_locked_unseen_is_refused,
	  twin_stays_for_the_next_request_and_goes_with_the_descriptor,
	  other_policies_leave_the_error, einval_of_a_buffered_descriptor_stands,
	  second_description_of_another_inode_is_refused, no_second_descriptor_leaves_the_error,
	  unknown_flags_leave_the_error, refused_statx_leaves_the_error,
	  refused_second_statx_leaves_the_error, unknown_position_leaves_the_error,
	  missing_call_leaves_the_error, served_bytes_are_a_stream_and_leave_no_pages)
