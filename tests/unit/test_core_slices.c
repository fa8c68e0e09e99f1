/* test_core_slices.c - a large call in pieces gives what the whole call would have given. */
#include "fake_program.h"
#include "slices.h"
#include "unit.h"
#include "usermem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGE = 9 << 20, ODD = 12345 };

static char *memory;
static struct fake_file *disk;

/* A file of `size` bytes that keeps them, opened; the description stands at ODD. */
static int begin(int64_t size, int flags)
{
	int fd;

	disk = fake_file("/data/x", size);
	fake_store(disk);
	program_begin("* dontneed", NULL);
	fd = program_open(disk, flags);
	fake.fd[fd]->offset = ODD;
	memory = calloc(1, LARGE + 1);
	return fd;
}

static ssize_t take(int fd, size_t n, int64_t offset)
{
	return slices_read(engine_file(fd), fd, memory, n, offset);
}

static ssize_t give(int fd, size_t n, int64_t offset)
{
	return slices_write(engine_file(fd), fd, memory, n, offset);
}

static void expect_pattern(int64_t offset, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		UNIT_HOLDS((unsigned char)memory[i] == fake_pattern(offset + i));
}

static void expect_forwarded(int fd, ssize_t moved)
{
	ck_assert_int_eq(moved, FORWARD);
	ck_assert_int_eq(fake_offset(fd), ODD);
	ck_assert_uint_eq(fake.calls[CALL_pread] + fake.calls[CALL_pwrite], 0);
}

START_TEST(read_gives_all_bytes_and_moves_the_offset)
{
	/* Expects the bytes of the range, its length, one call counted, and no byte beyond. */
	int fd = begin(10 * MIB, O_RDONLY);
	struct file *file = engine_file(fd);

	ck_assert_int_eq(take(fd, LARGE, -1), LARGE);
	ck_assert_int_eq(fake_offset(fd), ODD + LARGE);
	expect_pattern(ODD, LARGE);
	ck_assert_int_eq(memory[LARGE], 0);
	ck_assert_uint_eq(file_counted(file, COUNT_reads), 1);
	ck_assert_uint_eq(file_counted(file, COUNT_read), LARGE);
}
END_TEST

START_TEST(positional_calls_leave_the_offset)
{
	/* Expects pread and pwrite not to move the description. */
	int fd = begin(10 * MIB, O_RDWR);

	ck_assert_int_eq(take(fd, LARGE, 777), LARGE);
	expect_pattern(777, LARGE);
	ck_assert_int_eq(give(fd, LARGE, 778), LARGE);
	ck_assert_int_eq(fake_offset(fd), ODD);
	ck_assert_uint_eq(disk->data[778 + LARGE - 1], fake_pattern(777 + LARGE - 1));
	ck_assert_uint_eq(disk->data[778 + LARGE], fake_pattern(778 + LARGE));
}
END_TEST

START_TEST(write_puts_all_bytes_and_moves_the_offset)
{
	/* Expects the file to have the bytes, and to have grown. */
	int fd = begin(MIB, O_WRONLY);
	struct file *file = engine_file(fd);

	memset(memory, 'x', LARGE);
	ck_assert_int_eq(give(fd, LARGE, -1), LARGE);
	ck_assert_int_eq(fake_offset(fd), ODD + LARGE);
	ck_assert_int_eq(disk->size, ODD + LARGE);
	ck_assert_mem_eq(disk->data + ODD, memory, LARGE);
	ck_assert_uint_eq(disk->data[ODD - 1], fake_pattern(ODD - 1));
	ck_assert_uint_eq(file_counted(file, COUNT_writes), 1);
	ck_assert_uint_eq(file_counted(file, COUNT_written), LARGE);
}
END_TEST

/* The kth piece of a call gives `outcome`: what was moved before it, or the error itself. */
static void expect_cut(enum fake_call call, int k, long outcome)
{
	ssize_t before = k > 1 ? (ssize_t)(k - 1) * SLICE - ODD : 0; /* the first piece aligns */
	ssize_t expected = outcome >= 0 ? before + outcome : before ? before : outcome;
	int fd = begin(10 * MIB, O_RDWR);

	fake_fault(call, k, 1, outcome);
	ck_assert_int_eq(call == CALL_pread ? take(fd, LARGE, -1) : give(fd, LARGE, -1), expected);
	ck_assert_int_eq(fake_offset(fd), ODD + larger(expected, 0));
	ck_assert_uint_eq(fake.calls[call], (unsigned long)k);
}

#define CUT(name, call, k, outcome)                                                                \
	START_TEST(name)                                                                           \
	{                                                                                          \
		expect_cut(call, k, outcome);                                                      \
	}                                                                                          \
	END_TEST

CUT(short_first_piece_of_a_read_ends_it, CALL_pread, 1, 1000)
CUT(short_third_piece_of_a_read_ends_it, CALL_pread, 3, 1)
CUT(no_bytes_in_a_later_piece_end_a_read, CALL_pread, 2, 0)
CUT(error_in_the_first_piece_is_the_reads, CALL_pread, 1, -EIO)
CUT(error_in_a_later_piece_gives_the_bytes_read, CALL_pread, 4, -EIO)
CUT(unreadable_buffer_in_a_later_piece_gives_the_bytes_read, CALL_pread, 2, -EFAULT)
CUT(interrupted_first_piece_is_the_reads, CALL_pread, 1, -EINTR)
CUT(short_second_piece_of_a_write_ends_it, CALL_pwrite, 2, 4096)
CUT(full_disk_in_the_first_piece_is_the_writes, CALL_pwrite, 1, -ENOSPC)
CUT(full_disk_in_a_later_piece_gives_the_bytes_written, CALL_pwrite, 3, -ENOSPC)

START_TEST(read_stops_at_the_end_of_the_file)
{
	/* Expects the bytes up to the end, and the description there. */
	int fd = begin(5 * MIB + 17, O_RDONLY);

	ck_assert_int_eq(take(fd, LARGE, -1), 5 * MIB + 17 - ODD);
	ck_assert_int_eq(fake_offset(fd), 5 * MIB + 17);
	expect_pattern(ODD, 5 * MIB + 17 - ODD);
	ck_assert_int_eq(memory[5 * MIB + 17 - ODD], 0);
}
END_TEST

static void shrink(enum fake_call call)
{
	if (call == CALL_pread)
		disk->size = 3 * MIB;
}

START_TEST(file_that_shrinks_meanwhile_gives_what_is_there)
{
	/* Expects the description to stand behind the bytes that were still there. */
	int fd = begin(10 * MIB, O_RDONLY);

	fake.before = shrink;
	ck_assert_int_eq(take(fd, LARGE, -1), 3 * MIB - ODD);
	ck_assert_int_eq(fake_offset(fd), 3 * MIB);
}
END_TEST

static void another_reader(enum fake_call call)
{
	static bool done;
	struct fake_description *description = fake.fd[3];

	if (call == CALL_lseek && !done && fake.calls[CALL_lseek] == 1) {
		done = true;
		description->offset += 100;
	}
}

START_TEST(range_is_reserved_by_one_step)
{
	/* Expects the bytes from where the description stands when it is moved on. */
	int fd = begin(10 * MIB, O_RDONLY);

	fake.calls[CALL_lseek] = 0;
	fake.before = another_reader;
	ck_assert_int_eq(take(fd, LARGE, -1), LARGE);
	ck_assert_int_eq(fake_offset(fd), ODD + 100 + LARGE);
	expect_pattern(ODD + 100, LARGE);
}
END_TEST

static int struck;          /* the piece before which the signals come */
static unsigned long heard; /* of them, before the next one */

static void strike(enum fake_call call)
{
	static int pieces;

	if (call != CALL_pwrite && call != CALL_pread)
		return;
	if (++pieces == struck)
		fake_send_signal(SIGTERM);
	else if (pieces == struck + 1)
		heard = fake.signals;
}

static void expect_heard(int deadly, unsigned long expected)
{
	int fd = begin(10 * MIB, O_RDWR);

	fake.deadly = deadly;
	fake.before = strike;
	struck = 2;
	ck_assert_int_eq(give(fd, LARGE, -1), LARGE);
	ck_assert_uint_eq(heard, expected);
	ck_assert_uint_eq(fake.signals, 1);
}

START_TEST(signal_that_ends_the_program_is_let_in_between_pieces)
{
	/* Expects it to be there before the next piece, and who survives it to write all. */
	expect_heard(SIGTERM, 1);
}
END_TEST

START_TEST(signal_with_a_handler_waits_for_the_call)
{
	/* Expects it to be heard when all is written, and not before. */
	expect_heard(0, 0);
}
END_TEST

START_TEST(handler_waits_for_a_read_in_pieces)
{
	/* Expects the same of a read, whose offset stands behind its bytes already. */
	int fd = begin(10 * MIB, O_RDWR);

	fake.before = strike;
	struck = 2;
	ck_assert_int_eq(take(fd, LARGE, -1), LARGE);
	ck_assert_uint_eq(heard, 0);
	ck_assert_uint_eq(fake.signals, 1);
}
END_TEST

START_TEST(signal_that_the_program_holds_back_waits)
{
	/* Expects it not to be heard at all, though it would end the program. */
	int fd = begin(10 * MIB, O_RDWR);
	uint64_t mask;

	sys_block_signal(SIGTERM, &mask);
	fake.deadly = SIGTERM;
	fake.before = strike;
	struck = 2;
	ck_assert_int_eq(give(fd, LARGE, -1), LARGE);
	ck_assert_uint_eq(fake.signals, 0);
}
END_TEST

START_TEST(write_at_a_description_that_others_may_have_is_forwarded)
{
	/* Expects it of what was there before the program, and of what its children have. */
	int fd = begin(10 * MIB, O_RDWR), other = fake_open(disk, O_WRONLY);

	ck_assert_int_eq(give(other, LARGE, -1), FORWARD);
	ck_assert_int_eq(give(other, LARGE, 0), LARGE);
	ck_assert_int_eq(give(fd, LARGE, -1), LARGE);
	engine_passes_on();
	ck_assert_int_eq(give(fd, LARGE, -1), FORWARD);
}
END_TEST

START_TEST(description_that_was_open_when_a_child_was_made_is_forwarded)
{
	/* Expects it of one that had not been looked at yet. */
	int fd, later;

	begin(10 * MIB, O_RDWR);
	engine_opened(fd = fake_open(disk, O_WRONLY));
	engine_passes_on();
	engine_opened(later = fake_open(disk, O_WRONLY));
	ck_assert_int_eq(give(fd, LARGE, -1), FORWARD);
	ck_assert_int_eq(give(later, LARGE, -1), LARGE);
}
END_TEST

START_TEST(little_left_is_forwarded)
{
	/* Expects the kernel to serve a read of which one piece or nothing is there. */
	int fd = begin(SLICE + ODD, O_RDONLY);

	expect_forwarded(fd, take(fd, LARGE, -1));
	expect_forwarded(fd, take(fd, LARGE, 100 * MIB));
}
END_TEST

#define FORWARDED(name, flags, prepare, call)                                                      \
	START_TEST(name)                                                                           \
	{                                                                                          \
		int fd = begin(10 * MIB, flags);                                                   \
                                                                                                   \
		prepare;                                                                           \
		expect_forwarded(fd, call);                                                        \
	}                                                                                          \
	END_TEST

FORWARDED(append_is_forwarded, O_RDWR | O_APPEND, , give(fd, LARGE, -1))
FORWARDED(positional_append_is_forwarded, O_RDWR | O_APPEND, , give(fd, LARGE, 0))
FORWARDED(durable_write_is_forwarded, O_RDWR | O_DSYNC, , give(fd, LARGE, -1))
FORWARDED(limited_write_is_forwarded, O_RDWR, fake.file_limit = 4 * MIB, give(fd, LARGE, -1))
FORWARDED(unknown_limit_is_forwarded, O_RDWR, fake_fault(CALL_file_limit, 1, 1, -EPERM),
	  give(fd, LARGE, -1))
FORWARDED(own_direct_read_is_forwarded, O_RDWR | O_DIRECT, , take(fd, LARGE, -1))
FORWARDED(own_direct_write_is_forwarded, O_RDWR | O_DIRECT, , give(fd, LARGE, -1))
FORWARDED(read_without_the_right_is_forwarded, O_WRONLY, , take(fd, LARGE, -1))
FORWARDED(write_without_the_right_is_forwarded, O_RDONLY, , give(fd, LARGE, -1))
FORWARDED(offset_below_zero_is_forwarded, O_RDWR, , give(fd, LARGE, -2))
FORWARDED(offset_that_overflows_is_forwarded, O_RDWR, , give(fd, LARGE, INT64_MAX - SLICE))
FORWARDED(insane_length_is_forwarded, O_RDWR, , take(fd, SIZE_MAX, -1))
FORWARDED(insane_write_is_forwarded, O_RDWR, , give(fd, (size_t)USERMEM_END, -1))
FORWARDED(refused_statx_is_forwarded, O_RDWR, fake_fault(CALL_stat, 1, 1, -EPERM),
	  take(fd, LARGE, -1))
FORWARDED(another_file_is_forwarded, O_RDWR, fake.fd[fd]->file = fake_file("/data/y", 10 * MIB),
	  take(fd, LARGE, -1))
FORWARDED(block_device_is_forwarded, O_RDWR, disk->mode = S_IFBLK | 0600, take(fd, LARGE, -1))
FORWARDED(position_that_is_refused_is_forwarded, O_RDWR, fake_fault(CALL_lseek, 1, 1, -ESPIPE),
	  give(fd, LARGE, -1))

START_TEST(most_that_one_call_moves_is_0x7ffff000)
{
	/* Expects the kernel's limit for a length that is larger. */
	struct fake_file *file = fake_file("/data/huge", 0);
	const char *at = (const char *)4096; /* never looked at */
	int fd;

	file->folio = 1 << 30;
	program_begin("* dontneed", NULL);
	fd = program_open(file, O_WRONLY);
	ck_assert_int_eq(slices_write(engine_file(fd), fd, at, (size_t)3 << 30, -1), 0x7ffff000);
	ck_assert_int_eq(fake_offset(fd), 0x7ffff000);
}
END_TEST

UNIT_MAIN("core_slices", read_gives_all_bytes_and_moves_the_offset,
	  positional_calls_leave_the_offset, write_puts_all_bytes_and_moves_the_offset,
	  short_first_piece_of_a_read_ends_it, short_third_piece_of_a_read_ends_it,
	  no_bytes_in_a_later_piece_end_a_read, error_in_the_first_piece_is_the_reads,
	  error_in_a_later_piece_gives_the_bytes_read,
	  unreadable_buffer_in_a_later_piece_gives_the_bytes_read,
	  interrupted_first_piece_is_the_reads, short_second_piece_of_a_write_ends_it,
	  full_disk_in_the_first_piece_is_the_writes,
	  full_disk_in_a_later_piece_gives_the_bytes_written, read_stops_at_the_end_of_the_file,
	  file_that_shrinks_meanwhile_gives_what_is_there, range_is_reserved_by_one_step,
	  signal_that_ends_the_program_is_let_in_between_pieces,
	  signal_with_a_handler_waits_for_the_call, handler_waits_for_a_read_in_pieces,
	  signal_that_the_program_holds_back_waits,
	  write_at_a_description_that_others_may_have_is_forwarded,
	  description_that_was_open_when_a_child_was_made_is_forwarded, little_left_is_forwarded,
	  append_is_forwarded, positional_append_is_forwarded, durable_write_is_forwarded,
	  limited_write_is_forwarded, unknown_limit_is_forwarded, own_direct_read_is_forwarded,
	  own_direct_write_is_forwarded, read_without_the_right_is_forwarded,
	  write_without_the_right_is_forwarded, offset_below_zero_is_forwarded,
	  offset_that_overflows_is_forwarded, insane_length_is_forwarded, insane_write_is_forwarded,
	  refused_statx_is_forwarded, another_file_is_forwarded, block_device_is_forwarded,
	  position_that_is_refused_is_forwarded, most_that_one_call_moves_is_0x7ffff000)
