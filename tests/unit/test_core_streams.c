/* test_core_streams.c - what the streams of a process hold together, and each beside the others. */
#include "fake_program.h"
#include "stream.h"
#include "stream_room.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>

enum { MANY = 100, PIECE = 64 << 10, SIZE = 6 << 20, STEP_MOST = 1 << 20 };

static struct fake_file *files[MANY];
static int fds[MANY];

static int64_t sum_held(void)
{
	int64_t sum = 0;

	for (int i = 0; i < MANY; i++)
		sum += files[i]->own;
	return sum;
}

static int64_t sum_dirty(void)
{
	int64_t sum = 0;

	for (int i = 0; i < MANY; i++)
		sum += files[i]->dirty;
	return sum;
}

static void open_all(int64_t size, int flags)
{
	char path[64];

	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/data/%d", i);
		files[i] = fake_file(path, size);
		files[i]->naps = 1;
		fds[i] = program_open(files[i], flags);
	}
}

static void close_all(void)
{
	for (int i = 0; i < MANY; i++) {
		program_close(fds[i]);
		ck_assert_int_eq(files[i]->own, 0);
	}
}

/* Moves one piece of each file in turn; returns the most that all held together. */
static int64_t in_turn(ssize_t (*move)(int fd, size_t n, int64_t offset), int64_t size)
{
	int64_t most = 0;

	for (int64_t at = 0; at < size; at += PIECE) {
		for (int i = 0; i < MANY; i++) {
			move(fds[i], PIECE, -1);
			most = larger(most, i % 10 ? 0 : sum_held());
		}
	}
	return most;
}

/* What one may hold beside the rest: the least share, and a piece. */
static int64_t bound(void)
{
	return ROOM_MOST + (int64_t)MANY * (ROOM_LEAST + PIECE);
}

START_TEST(writers_in_turn_share_the_room)
{
	/* Expects 100 files of 6 MiB to hold the room at most, each alike, little of it dirty. */
	int64_t most, least = INT64_MAX;

	program_begin("* dontneed", NULL);
	open_all(0, O_WRONLY);
	most = in_turn(program_write, SIZE);
	ck_assert_int_le(most, bound());
	ck_assert_int_ge(most, ROOM_MOST / 2);
	ck_assert_int_le(sum_dirty(), (int64_t)MANY * STEP_MOST);
	for (int i = 0; i < MANY; i++)
		least = smaller(least, files[i]->own_peak);
	for (int i = 0; i < MANY; i++)
		ck_assert_int_le(files[i]->own_peak, 2 * least);
	close_all();
}
END_TEST

START_TEST(readers_in_turn_share_the_room)
{
	/* Expects the same of readers, whom the kernel would read ahead for. */
	program_begin("* dontneed", NULL);
	fake.readahead = MIB;
	open_all(SIZE, O_RDONLY);
	ck_assert_int_le(in_turn(program_read, SIZE), bound());
	close_all();
}
END_TEST

START_TEST(windows_that_are_asked_for_share_the_room_too)
{
	/* Expects no more with window=16M. */
	program_begin("* dontneed,window=16M", NULL);
	open_all(SIZE, O_RDWR);
	ck_assert_int_le(in_turn(program_read, SIZE), bound());
	close_all();
}
END_TEST

START_TEST(idle_streams_leave_the_others_little)
{
	/* Expects files that were written one after the other and stay open to hold the room. */
	program_begin("* dontneed", NULL);
	open_all(0, O_WRONLY);
	for (int i = 0; i < MANY; i++)
		program_write_all(fds[i], PIECE, 0, SIZE);
	ck_assert_int_le(sum_held(), bound());
	close_all();
}
END_TEST

START_TEST(closed_streams_give_their_room_back)
{
	/* Expects all of the room, whether the program closed them or behind our back. */
	program_begin("* dontneed", NULL);
	open_all(0, O_WRONLY);
	in_turn(program_write, 2 * MIB);
	ck_assert_int_lt(room_left(), ROOM_MOST - MANY * MIB);
	for (int i = 0; i < MANY; i++) {
		if (i % 2)
			program_close(fds[i]);
		else
			engine_opened(fds[i]);
	}
	ck_assert_int_eq(room_left(), ROOM_MOST);
}
END_TEST

START_TEST(random_access_takes_no_room)
{
	/* Expects what is left alone until close not to press on the streams. */
	program_begin("* dontneed", NULL);
	open_all(SIZE, O_RDWR);
	for (int64_t i = 1; i < 40; i++) {
		program_read(fds[0], PIECE, i * 37 % 96 * PIECE);
		program_write(fds[1], PIECE, i * 37 % 96 * PIECE);
	}
	ck_assert_int_eq(room_left(), ROOM_MOST);
}
END_TEST

START_TEST(child_has_room_of_its_own)
{
	/* Expects the child of fork(2) to begin with all, whatever a thread was about to do. */
	static struct window of_a_thread;

	program_begin("* dontneed", NULL);
	open_all(0, O_WRONLY);
	in_turn(program_write, MIB);
	room_take(&of_a_thread, 9 * MIB);
	fake_fork();
	program_write(fds[0], PIECE, -1);
	ck_assert_int_le(room_left(), ROOM_MOST);
	ck_assert_int_ge(room_left(), ROOM_MOST - MIB);
}
END_TEST

START_TEST(calls_stay_few_and_large)
{
	/* Expects at most 8 write-outs and 8 releases a MiB where 100 files share the room. */
	program_begin("* dontneed", NULL);
	open_all(0, O_WRONLY);
	in_turn(program_write, SIZE);
	ck_assert_uint_le(fake.calls[CALL_writeout], MANY * SIZE / MIB * 8);
	ck_assert_uint_le(fake.calls[CALL_advise], MANY * SIZE / MIB * 8);
}
END_TEST

START_TEST(others_pages_stay_where_the_room_is_little)
{
	/* Expects steps of less than a unit to leave what was cached before, and nothing else. */
	struct fake_file *file = fake_file("/data/half", 20 * MIB);
	static struct window others;

	program_begin("* dontneed", NULL);
	room_take(&others, ROOM_MOST);
	for (int64_t at = 0; at < file->size; at += MIB)
		fake_warm(file, at + 600 * KIB, at + 700 * KIB);
	program_read_file(file, PIECE);
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), 2000 * KIB);
	program_expect_bounded(file, ROOM_LEAST + PIECE);
}
END_TEST

START_TEST(first_transfer_asks_nothing)
{
	/* Expects a file's first bytes to be counted without a system call, each way. */
	unsigned long before;
	int64_t left;
	int fd;

	program_begin("* dontneed", NULL);
	fd = program_open(fake_file("/data/one", SIZE), O_RDWR);
	before = fake_all_calls();
	program_read(fd, PIECE, -1);
	left = room_left();
	ck_assert_int_lt(left, ROOM_MOST);
	program_write(fd, PIECE, -1);
	ck_assert_int_lt(room_left(), left);
	ck_assert_uint_eq(fake_all_calls(), before);
}
END_TEST

START_TEST(what_the_kernel_read_ahead_is_counted)
{
	/* Expects what the kernel brought in before the stream was one to be in its window. */
	struct fake_file *file = fake_file("/data/one", 40 * MIB);
	int fd;

	program_begin("* dontneed", NULL);
	fake.readahead = 7 * MIB;
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, PIECE, 0, STREAM_START + PIECE);
	ck_assert_int_ge(ROOM_MOST - room_left(), file->own);
}
END_TEST

UNIT_MAIN("core_streams", writers_in_turn_share_the_room, readers_in_turn_share_the_room,
	  windows_that_are_asked_for_share_the_room_too, idle_streams_leave_the_others_little,
	  closed_streams_give_their_room_back, random_access_takes_no_room,
	  child_has_room_of_its_own, calls_stay_few_and_large,
	  others_pages_stay_where_the_room_is_little, first_transfer_asks_nothing,
	  what_the_kernel_read_ahead_is_counted)
