/* test_core_direct_read.c - reading past the page cache gives what the kernel would have given. */
#include "direct.h"
#include "fake_program.h"
#include "unit.h"
#include "usermem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FUSE = 0x65735546, CANARY = 0x55, ROOM = 12 << 20 };
#define SIZE ((int64_t)(3 << 20) + 1234)

static struct fake_file *disk;
static char *memory;

static int begin(int64_t size, int flags)
{
	disk = program_disk_file("/data/x", size);
	memory = malloc(ROOM);
	return program_open_direct(disk, flags);
}

static void expect_pattern(const char *bytes, int64_t offset, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		UNIT_HOLDS((unsigned char)bytes[i] == fake_pattern(offset + i));
}

/* One read of `n` bytes whose result is that of a plain read: bytes, count, nothing beyond. */
static int64_t expect_read(int fd, int64_t n, int64_t offset)
{
	int64_t at = offset < 0 ? fake_offset(fd) : offset;
	int64_t expected = smaller(n, larger(disk->size - at, 0));
	int64_t stays = fake_offset(fd);

	memset(memory, CANARY, (size_t)n + PAGE);
	ck_assert_int_eq(program_read_into(fd, memory, (size_t)n, offset), expected);
	expect_pattern(memory, at, expected);
	for (int64_t i = expected; i < n + PAGE; i++)
		UNIT_HOLDS(memory[i] == CANARY);
	ck_assert_int_eq(fake_offset(fd), offset < 0 ? stays + expected : stays);
	return expected;
}

static void expect_all(int fd, int64_t n)
{
	while (expect_read(fd, n, -1))
		;
	ck_assert_int_eq(fake_offset(fd), disk->size);
}

START_TEST(sequential_reading_passes_the_cache)
{
	/* Expects every byte by the pipeline, counted as direct and bounced, and no page left in
	 * it. */
	static const int64_t blocks[] = {100, 1000, 4096, 65536, 100000, 1 << 20, 9 << 20};
	int fd;

	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		fd = begin(SIZE, O_RDONLY);
		expect_all(fd, blocks[i]);
		ck_assert_int_eq(program_direct(fd), SIZE);
		ck_assert_int_eq(program_count(fd, COUNT_bounced), SIZE);
		ck_assert_int_eq(program_count(fd, COUNT_read), SIZE);
		ck_assert_int_le(disk->own_peak, PAGE);
		ck_assert_int_eq(program_reason(fd), REASON_NONE);
		free(memory);
		program_close(fd);
		ck_assert_int_eq(disk->own, 0);
	}
}
END_TEST

START_TEST(one_call_is_counted_once)
{
	/* Expects as many reads in the record as the program made. */
	int fd = begin(SIZE, O_RDONLY);

	for (int i = 0; i < 10; i++)
		expect_read(fd, 100000, -1);
	ck_assert_int_eq(program_count(fd, COUNT_reads), 10);
}
END_TEST

START_TEST(pread_in_order_is_a_stream)
{
	/* Expects positional reads in order to be served past the cache too. */
	int fd = begin(SIZE, O_RDONLY);

	for (int64_t at = 0; at < SIZE; at += 5000)
		expect_read(fd, 5000, at);
	ck_assert_int_eq(program_direct(fd), SIZE);
}
END_TEST

START_TEST(large_unaligned_pread_is_direct)
{
	/* Expects a request worth a direct read to be one at whatever offset. */
	int fd = begin(SIZE, O_RDONLY);

	expect_read(fd, MIB, 1000);
	ck_assert_int_eq(program_direct(fd), MIB);
	expect_read(fd, MIB, 1 + MIB);
	ck_assert_int_eq(program_direct(fd), 2 * MIB);
}
END_TEST

START_TEST(stream_may_begin_anywhere)
{
	/* Expects reading in order from an odd offset to be a stream after 64 KiB. */
	int fd = begin(SIZE, O_RDONLY);

	program_seek(fd, 12345);
	expect_all(fd, 1000);
	ck_assert_int_ge(program_direct(fd), SIZE - 12345 - 66000);
}
END_TEST

START_TEST(small_random_reads_are_forwarded)
{
	/* Expects no twin, and no question to the kernel for each, where reading jumps about. */
	int fd = begin(SIZE, O_RDONLY);

	expect_read(fd, 100, 2 * MIB);
	for (int i = 0; i < 20; i++)
		expect_read(fd, 100, 1000 + (i * 7919 % 300) * 10000);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(small_file_is_not_worth_a_twin)
{
	/* Expects the kernel to serve it, and the reason. */
	int fd = begin(60000, O_RDONLY);

	expect_all(fd, 1000);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(fake.calls[CALL_lease], 0);
	ck_assert_int_eq(program_reason(fd), REASON_SMALL);
}
END_TEST

START_TEST(file_without_direct_io_is_forwarded)
{
	/* Expects the reason, whether statx(2) tells or the open is refused; bytes right. */
	int fd = begin(SIZE, O_RDONLY), other;

	disk->direct_block = 0;
	expect_all(fd, 100000);
	ck_assert_int_eq(program_reason(fd), REASON_NO_DIRECT);
	disk = program_disk_file("/data/y", SIZE);
	disk->refuses_direct = true;
	other = program_open(disk, O_RDONLY);
	expect_all(other, 100000);
	ck_assert_int_eq(program_direct(other), 0);
	ck_assert_int_eq(program_reason(other), REASON_NO_DIRECT);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(own_aligned_direct_requests_are_forwarded)
{
	/* Expects a program's own O_DIRECT to be left to it, and its odd requests to be served. */
	int fd = begin(SIZE, O_RDONLY | O_DIRECT);
	char *aligned = aligned_alloc(PAGE, MIB);

	ck_assert_int_eq(program_read_into(fd, aligned, MIB, -1), MIB);
	ck_assert_int_eq(program_direct(fd), 0);
	expect_pattern(aligned, 0, MIB);
	ck_assert_int_eq(program_read_into(fd, aligned + 1, 1000, -1), 1000);
	expect_pattern(aligned + 1, MIB, 1000);
	ck_assert_int_eq(fake_offset(fd), MIB + 1000);
}
END_TEST

START_TEST(own_unaligned_direct_request_survives_a_bad_guess)
{
	/* Expects an odd request to be served where the offset is not where it was expected. */
	int fd = begin(SIZE, O_RDONLY | O_DIRECT);

	for (int i = 0; i < 100; i++)
		expect_read(fd, 1000, -1);
	fake.fd[fd]->offset = 500;
	expect_read(fd, 1000, -1);
}
END_TEST

START_TEST(own_unaligned_direct_request_survives_a_short_direct_read)
{
	/* Expects the device's trouble, and not EINVAL of our own making. */
	int fd = begin(SIZE, O_RDONLY | O_DIRECT);

	fake_fault(CALL_pread, 1, 1, -EIO);
	expect_read(fd, 1000, -1);
}
END_TEST

START_TEST(end_of_file_is_the_kernels)
{
	/* Expects 0 there and beyond, the offset where it was, and more when the file has grown. */
	int fd = begin(SIZE, O_RDONLY), writer;

	expect_all(fd, 100000);
	ck_assert_int_eq(expect_read(fd, 1000, -1), 0);
	ck_assert_int_eq(expect_read(fd, MIB, SIZE + 5 * MIB), 0);
	writer = fake_open(disk, O_WRONLY);
	for (int64_t at = SIZE; at < SIZE + 200; at++)
		fake_write(writer, &(char){(char)fake_pattern(at)}, 1, at);
	ck_assert_int_eq(expect_read(fd, 100, -1), 100);
	ck_assert_int_eq(expect_read(fd, 1000, -1), 100);
}
END_TEST

START_TEST(read_back_at_the_start_is_whole)
{
	/* Expects a read to be as long as the file lets it be where the program stands elsewhere.
	 */
	int fd = begin(MIB, O_RDONLY);

	for (int64_t at = 0; at < MIB - 100; at += 100)
		expect_read(fd, smaller(100, MIB - 50 - at), at);
	expect_read(fd, 4096, -1);
	program_seek(fd, 0);
	expect_all(fd, 65536 - 64);
	program_seek(fd, 0);
	while (fake_offset(fd) < MIB - 64)
		expect_read(fd, 4096 - 64, -1);
	fake.fd[fd]->offset = 5;
	expect_read(fd, 4096, -1);
}
END_TEST

START_TEST(failed_read_does_not_shorten_the_next)
{
	/* Expects a read behind one with a bad buffer to be as long as ever. */
	int fd = begin(128 * KIB, O_RDONLY);
	char *edge = fake_memory(10);

	expect_read(fd, 1000, -1);
	ck_assert_int_eq(program_read_into(fd, edge + 10, 100 * KIB, -1), -EFAULT);
	ck_assert_int_eq(fake_offset(fd), 1000);
	expect_read(fd, 100 * KIB, -1);
}
END_TEST

START_TEST(bad_buffer_is_the_kernels_to_refuse)
{
	/* Expects the bytes up to the bad page, or EFAULT; never a signal. */
	int fd = begin(SIZE, O_RDONLY);
	char *edge = fake_memory(300);

	expect_read(fd, 4096, -1);
	ck_assert_int_eq(program_read_into(fd, edge, 5000, -1), 300);
	expect_pattern(edge, 4096, 300);
	ck_assert_int_eq(program_read_into(fd, edge + 300, 5000, -1), -EFAULT);
	ck_assert_int_eq(fake_offset(fd), 4396);
	expect_read(fd, 4096, -1);
}
END_TEST

START_TEST(remembered_buffer_is_asked_about_after_a_change)
{
	/* Expects a buffer that was good to be asked about again when the memory map has changed.
	 */
	int fd = begin(SIZE, O_RDONLY);

	expect_read(fd, 4096, -1);
	fake.bad_memory = (char *)(intptr_t)align_down((intptr_t)memory, PAGE);
	usermem_changed();
	ck_assert_int_ge(mprotect((void *)fake.bad_memory, PAGE, PROT_READ), 0);
	ck_assert_int_lt(program_read_into(fd, memory, 4096, -1), 4096);
	mprotect((void *)fake.bad_memory, PAGE, PROT_READ | PROT_WRITE);
}
END_TEST

START_TEST(remembered_buffer_costs_no_call)
{
	/* Expects small reads out of what is there to make three system calls: no more. */
	int fd = begin(SIZE, O_RDONLY);
	unsigned long before;

	expect_read(fd, 100, -1);
	expect_read(fd, 100, -1);
	before = fake_all_calls();
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(program_read_into(fd, memory, 100, -1), 100);
	ck_assert_uint_le(fake_all_calls() - before, 20);
}
END_TEST

START_TEST(vectors_are_filled_in_order)
{
	/* Expects empty and odd pieces to be filled as readv(2) does. */
	int fd = begin(SIZE, O_RDONLY);
	struct iovec iov[4] = {{memory, 10}, {NULL, 0}, {memory + 5000, 6000}, {memory + 100, 1}};

	memset(memory, CANARY, 20000);
	ck_assert_int_eq(direct_read(engine_file(fd), fd, iov, 4, -1), 6011);
	expect_pattern(memory, 0, 10);
	expect_pattern(memory + 5000, 10, 6000);
	expect_pattern(memory + 100, 6010, 1);
	ck_assert_int_eq(memory[10], CANARY);
	ck_assert_int_eq(memory[101], CANARY);
	ck_assert_int_eq(memory[11000], CANARY);
	ck_assert_int_eq(program_direct(fd), 6011);
}
END_TEST

START_TEST(senseless_requests_are_forwarded)
{
	/* Expects nothing, an offset below -1, and lengths that no memory has to be the kernel's.
	 */
	int fd = begin(SIZE, O_RDONLY);
	struct file *file = engine_file(fd);
	struct iovec none = {memory, 0}, odd = {memory, 10},
		     much[2] = {{memory, SIZE_MAX / 2 - 5}, {memory, 100}};

	ck_assert_int_eq(direct_read(file, fd, &none, 1, -1), FORWARD);
	ck_assert_int_eq(direct_read(file, fd, &odd, 1, -2), FORWARD);
	ck_assert_int_eq(direct_read(file, fd, much, 2, -1), FORWARD);
	ck_assert_int_eq(fake_offset(fd), 0);
}
END_TEST

START_TEST(write_only_descriptor_is_forwarded)
{
	/* Expects EBADF of the kernel. */
	int fd = begin(SIZE, O_WRONLY);

	ck_assert_int_eq(program_read_into(fd, memory, MIB, 0), -EBADF);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

static long flaw_count, flaw_at, flaw_result;

static long flaw(size_t n)
{
	return ++flaw_count == flaw_at ? flaw_result : (long)n;
}

START_TEST(bad_direct_reads_fall_back)
{
	/* Expects a short or failing direct read, whichever it is, to be the shim's own trouble. */
	static const long results[] = {0, 4096, 8192, -EIO, -EINVAL, -ENOMEM};
	int fd = begin(SIZE, O_RDONLY);

	fake.direct_flaw = flaw;
	for (flaw_at = 1; flaw_at < 4; flaw_at++)
		for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
			flaw_count = 0;
			flaw_result = results[i];
			program_seek(fd, 0);
			expect_all(fd, 50000);
			ck_assert_int_ge(flaw_count, flaw_at);
		}
	ck_assert_int_gt(program_direct(fd), 18 * MIB);
}
END_TEST

START_TEST(bad_device_gives_the_kernels_own_error)
{
	/* Expects the bytes up to the bad place, then EIO, the offset as a plain read has it. */
	int fd = begin(SIZE, O_RDONLY);

	disk->bad_from = 777 * KIB;
	disk->bad_to = 778 * KIB;
	while (fake_offset(fd) + 10000 <= disk->bad_from)
		expect_read(fd, 10000, -1);
	ck_assert_int_eq(program_read_into(fd, memory, 10000, -1), disk->bad_from % 10000);
	ck_assert_int_eq(program_read_into(fd, memory, 10000, -1), -EIO);
	ck_assert_int_eq(fake_offset(fd), disk->bad_from);
	ck_assert_int_eq(program_read_into(fd, memory, MIB, disk->bad_from - 10), 10);
}
END_TEST

START_TEST(readers_are_not_ahead_where_changes_are_not_told)
{
	/* Expects no reading ahead on a file system whose change time is not to be relied on. */
	int fd;

	disk = program_disk_file("/data/x", SIZE);
	memory = malloc(ROOM);
	disk->fstype = FUSE;
	fd = program_open_direct(disk, O_RDONLY);
	expect_all(fd, 4096);
	ck_assert_int_eq(program_direct(fd), 0);
	expect_read(fd, MIB, 4096);
	ck_assert_int_eq(program_direct(fd), MIB);
}
END_TEST

START_TEST(readers_are_not_ahead_of_a_writer)
{
	/* Expects plain reads with a reason while somebody has it open for writing, then a stream.
	 */
	int fd = begin(9 * MIB, O_RDONLY), writer = fake_open(disk, O_RDWR);

	while (fake_offset(fd) < MIB)
		expect_read(fd, 4096, -1);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_IN_USE);
	ck_assert_uint_eq(fake.calls[CALL_lease], 1);
	fake_close(writer);
	expect_all(fd, 4096);
	ck_assert_int_ge(program_direct(fd), 4 * MIB);
}
END_TEST

START_TEST(readers_are_not_ahead_of_a_writable_mapping)
{
	/* Expects the same of one that may store at any time. */
	int fd = begin(SIZE, O_RDONLY);

	fake_map_for_writing(disk);
	expect_all(fd, 4096);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_IN_USE);
}
END_TEST

START_TEST(readers_who_may_not_ask_are_not_ahead)
{
	/* Expects the same where the user does not own the file. */
	int fd = begin(SIZE, O_RDONLY);

	disk->uid = 1000;
	fake.euid = 1001;
	expect_all(fd, 4096);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_IN_USE);
	ck_assert_uint_eq(fake.calls[CALL_lease], 1);
}
END_TEST

START_TEST(readers_are_not_ahead_of_a_young_change)
{
	/* Expects a file that changed within this tick of the clock to be read plainly. */
	int fd = begin(SIZE, O_RDONLY);

	fake_stamp(disk);
	for (int i = 0; i < 10; i++)
		expect_read(fd, 4096, -1);
	ck_assert_int_eq(program_direct(fd), 0);
	fake.wall += FAKE_TICK;
	expect_read(fd, 4096, -1);
	ck_assert_int_eq(program_direct(fd), 4096);
}
END_TEST

START_TEST(large_reads_beside_a_writer_are_direct_each)
{
	/* Expects what one call asks for, and no byte read ahead. */
	int fd = begin(SIZE, O_RDONLY), writer = fake_open(disk, O_RDWR);
	int before;

	for (int64_t at = 0; at + MIB <= SIZE; at += MIB) {
		before = fake.steps;
		expect_read(fd, MIB, -1);
		for (int i = before; i < fake.steps; i++)
			if (fake.step[i].call == CALL_pread)
				ck_assert_int_le(fake.step[i].offset + fake.step[i].length,
						 at + MIB);
		fake_write(writer, &(char){(char)fake_pattern(at + MIB)}, 1, at + MIB);
	}
	ck_assert_int_eq(program_direct(fd), 3 * MIB);
}
END_TEST

START_TEST(descriptor_that_means_another_file_is_forwarded)
{
	/* Expects the bytes of what the number means now, none of what was read ahead. */
	int fd = begin(SIZE, O_RDONLY);
	struct fake_file *other = program_disk_file("/data/y", SIZE);

	expect_read(fd, 4096, -1);
	memset(other->data, 'y', SIZE);
	other->changed = disk->changed;
	fake_close(fd);
	ck_assert_int_eq(fake_open(other, O_RDONLY), fd);
	fake.fd[fd]->offset = 4096;
	ck_assert_int_eq(program_read_into(fd, memory, 4096, -1), 4096);
	ck_assert_int_eq(memory[0], 'y');
	ck_assert_int_eq(memory[4095], 'y');
	ck_assert_int_eq(fake_offset(fd), 8192);
}
END_TEST

START_TEST(no_memory_means_plain_reads)
{
	/* Expects the kernel's bytes, and the reason. */
	int fd = begin(SIZE, O_RDONLY);

	fake_fault(CALL_map, 1, 1000000, -ENOMEM);
	expect_all(fd, 100000);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_NO_MEMORY);
}
END_TEST

START_TEST(close_gives_everything_back)
{
	/* Expects no descriptor and no memory of ours after the close. */
	int fd = begin(SIZE, O_RDONLY);
	int64_t maps = fake.maps;

	for (int i = 0; i < 3; i++)
		expect_read(fd, 100000, -1);
	ck_assert_int_eq(fake.hidden, 1);
	program_close(fd);
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_int_le(fake.maps - maps, 1);
}
END_TEST

UNIT_MAIN("direct_read", sequential_reading_passes_the_cache, one_call_is_counted_once,
	  pread_in_order_is_a_stream, large_unaligned_pread_is_direct, stream_may_begin_anywhere,
	  small_random_reads_are_forwarded, small_file_is_not_worth_a_twin,
	  file_without_direct_io_is_forwarded, own_aligned_direct_requests_are_forwarded,
	  own_unaligned_direct_request_survives_a_bad_guess,
	  own_unaligned_direct_request_survives_a_short_direct_read, end_of_file_is_the_kernels,
	  read_back_at_the_start_is_whole, failed_read_does_not_shorten_the_next,
	  bad_buffer_is_the_kernels_to_refuse, remembered_buffer_is_asked_about_after_a_change,
	  remembered_buffer_costs_no_call, vectors_are_filled_in_order,
	  senseless_requests_are_forwarded, write_only_descriptor_is_forwarded,
	  bad_direct_reads_fall_back, bad_device_gives_the_kernels_own_error,
	  readers_are_not_ahead_where_changes_are_not_told, readers_are_not_ahead_of_a_writer,
	  readers_are_not_ahead_of_a_writable_mapping, readers_who_may_not_ask_are_not_ahead,
	  readers_are_not_ahead_of_a_young_change, large_reads_beside_a_writer_are_direct_each,
	  descriptor_that_means_another_file_is_forwarded, no_memory_means_plain_reads,
	  close_gives_everything_back)
