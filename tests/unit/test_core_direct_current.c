/*
 * test_core_direct_current.c - what was read ahead is never handed out stale, and the offset is
 * moved exactly, whatever others do at whichever system call of ours.
 */
#include "fake_program.h"
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 400 * 1024 + 100, SEEDS = 4000, MOST = 200 * 1024 };

static struct fake_file *disk;
static char *memory;
static uint64_t dice;

static int rolled(int sides)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int)((dice >> 33) % (uint64_t)sides);
}

static void begin(const char *rule)
{
	disk = program_disk_file("/data/x", SIZE);
	memory = malloc(MOST + PAGE);
	program_begin(rule, NULL);
}

/* A long stream leaves an AIO context behind, which those after it use however short they are. */
static void make_context(void)
{
	struct fake_file *large = fake_file("/data/large", 300 * MIB);
	int fd;

	large->direct_block = PAGE;
	fd = program_open(large, O_RDONLY);
	program_read_into(fd, memory, 100 * KIB, -1);
	program_read_into(fd, memory, 100 * KIB, -1);
	program_close(fd);
	ck_assert_uint_eq(fake.calls[CALL_aio_setup], 1);
}

/* Somebody else, who writes the whole file: all bytes of it are its version. */
static unsigned char version;
static int writer;
static int64_t pace; /* ns that go by at each system call */
static int eagerness;

static void store_new_version(bool through_mapping)
{
	version++;
	memset(disk->data, version, SIZE);
	if (through_mapping)
		fake_store_through(disk, 0, version);
	else
		fake_stamp(disk);
}

static void act(void)
{
	switch (rolled(6)) {
	case 0:
	case 1:
		if (writer)
			store_new_version(false);
		break;
	case 2:
		if (!writer && !disk->leased)
			writer = fake_open(disk, rolled(2) ? O_WRONLY : O_RDWR | O_DIRECT);
		break;
	case 3:
		if (writer)
			fake_close(writer);
		writer = 0;
		break;
	case 4:
		if (writer && !disk->writing_maps)
			fake_map_for_writing(disk);
		else if (disk->writing_maps)
			store_new_version(true);
		break;
	default:
		if (disk->writing_maps && rolled(2))
			fake_unmap_for_writing(disk);
		else if (!rolled(4))
			store_new_version(false); /* truncate(2), which opens nothing */
	}
}

static void interfere(enum fake_call call)
{
	(void)call;
	fake.wall += pace;
	if (!rolled(eagerness))
		act();
}

/* Every byte is of a version that was there during the call. */
static void expect_current(int fd)
{
	unsigned char oldest = version;
	int64_t moved;

	moved = program_read_into(fd, memory, 1 + (size_t)rolled(rolled(2) ? 5000 : 150000), -1);
	ck_assert_int_ge(moved, 0);
	for (int64_t i = 0; i < moved; i++)
		if ((unsigned char)((unsigned char)memory[i] - oldest) >
		    (unsigned char)(version - oldest))
			ck_abort_msg("seed %llu, byte %ld: version %d, not %d to %d",
				     (unsigned long long)dice, (long)i, memory[i] & 255, oldest,
				     version);
}

static void run(unsigned long seed)
{
	static const int64_t paces[] = {0, FAKE_TICK / 7, FAKE_TICK + 1};
	static const int manners[] = {5, 20, 80};
	int fd;

	dice = seed;
	pace = paces[seed % 3];
	eagerness = manners[seed / 3 % 3];
	fake.aio_late = seed / 9 % 2;
	fake.aio_in_order = seed / 18 % 2;
	fake.wall += 10 * (int64_t)FAKE_TICK;
	memset(disk->data, version, SIZE);
	fd = program_open(disk, O_RDONLY);
	fake.before = interfere;
	while (fake_offset(fd) < SIZE)
		expect_current(fd);
	fake.before = NULL;
	if (writer)
		fake_close(writer);
	writer = 0;
	disk->writing_maps = 0;
	program_close(fd);
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_uint_eq(fake.signals, 0);
}

START_TEST(never_stale_one_request_at_a_time)
{
	/* Expects no old byte, beside writers of every kind at every point of the sequence. */
	begin("* direct,block=64K");
	for (unsigned long seed = 0; seed < SEEDS; seed++)
		run(seed);
	ck_assert_uint_gt(fake.calls[CALL_pread], SEEDS);
}
END_TEST

START_TEST(never_stale_with_requests_in_flight)
{
	/* Expects the same where requests fly, and take their bytes at the start or the end. */
	begin("* direct,block=64K,depth=4");
	make_context();
	for (unsigned long seed = 0; seed < SEEDS; seed++)
		run(seed);
	ck_assert_uint_gt(fake.calls[CALL_aio_wait], SEEDS);
}
END_TEST

/* Whoever shares the description moves it once, at the nth call from now. */
static int mover_fd, countdown;
static int64_t set_to, moved_by;

static void move_offset(enum fake_call call)
{
	(void)call;
	if (--countdown)
		return;
	fake.fd[mover_fd]->offset = set_to >= 0 ? set_to : fake.fd[mover_fd]->offset + moved_by;
}

static bool is_at(int64_t offset, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if ((unsigned char)memory[i] != fake_pattern(offset + i))
			return false;
	return true;
}

/* What a read of `n` at `at` gives, and where it leaves the description. */
static bool fits(int64_t got, int64_t n, int64_t at, int64_t left, int64_t expected_left)
{
	return got == smaller(n, larger(SIZE - at, 0)) && is_at(at, got) && left == expected_left;
}

/* Reads at `at`; the result must be that of some order of the read and the move. */
static void expect_in_some_order(int fd, int64_t n)
{
	int64_t at = fake_offset(fd), got, left, after;

	fake.before = move_offset;
	got = program_read_into(fd, memory, (size_t)n, -1);
	fake.before = NULL;
	left = fake_offset(fd);
	if (countdown > 0) {
		ck_assert(fits(got, n, at, left, at + got));
		return;
	}
	after = set_to >= 0 ? set_to : at + moved_by;
	if (!fits(got, n, at, left, set_to >= 0 ? set_to : at + got + moved_by) &&
	    !fits(got, n, after, left, after + got))
		ck_abort_msg("%ld bytes at %ld of %ld, moved to %ld: left at %ld", (long)got,
			     (long)at, (long)n, (long)after, (long)left);
}

static void expect_exact(int64_t start, int64_t n)
{
	int calls = 0, fd;

	do {
		fd = mover_fd = program_open(disk, O_RDONLY);
		while (fake_offset(fd) < start)
			program_read_into(fd, memory,
					  (size_t)smaller(5000, start - fake_offset(fd)), -1);
		countdown = ++calls;
		expect_in_some_order(fd, n);
		program_close(fd);
	} while (countdown <= 0);
	ck_assert_int_ge(calls, 3);
}

START_TEST(offset_is_exact_where_others_move_it)
{
	/* Expects each read to be before or after the move of a sharer, whichever call it meets. */
	static const int64_t starts[] = {0, 100000, SIZE - 5000, SIZE - 50},
			     lengths[] = {100, 4096, 20000, 190000};

	begin("* direct,block=64K");
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			for (set_to = 0; set_to < SIZE; set_to += 99999)
				expect_exact(starts[i], lengths[j]);
			set_to = -1;
			for (moved_by = -50; moved_by < 10000; moved_by += 4096)
				if (starts[i] + moved_by >= 0)
					expect_exact(starts[i], lengths[j]);
		}
}
END_TEST

START_TEST(own_writes_are_seen_at_once)
{
	/* Expects what the program writes by another descriptor to be what it reads next. */
	int fd, out;
	char byte = 'w';

	begin("* direct");
	fd = program_open(disk, O_RDONLY);
	program_read_into(fd, memory, 4096, -1);
	ck_assert_int_eq(program_direct(fd), 4096);
	out = program_open(disk, O_WRONLY);
	program_write_from(out, &byte, 1, 5000);
	program_close(out);
	program_read_into(fd, memory, 4096, -1);
	ck_assert_int_eq(memory[5000 - 4096], 'w');
}
END_TEST

START_TEST(truncated_file_ends_where_it_ends_now)
{
	/* Expects no byte of what was read ahead beyond the new end, and zeros where it grew again.
	 */
	int fd;

	begin("* direct");
	fd = program_open(disk, O_RDONLY);
	program_read_into(fd, memory, 4096, -1);
	fake_truncate(disk, 6000);
	ck_assert_int_eq(program_read_into(fd, memory, 4096, -1), 6000 - 4096);
	fake_truncate(disk, SIZE);
	ck_assert_int_eq(program_read_into(fd, memory, 4096, -1), 4096);
	for (int i = 0; i < 4096; i++)
		UNIT_HOLDS(memory[i] == 0);
}
END_TEST

UNIT_MAIN("direct_current", never_stale_one_request_at_a_time, never_stale_with_requests_in_flight,
	  offset_is_exact_where_others_move_it, own_writes_are_seen_at_once,
	  truncated_file_ends_where_it_ends_now)
