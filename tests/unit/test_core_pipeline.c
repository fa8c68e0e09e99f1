/* test_core_pipeline.c - the ring of direct reads, its memory, its requests in flight. */
#include "bounce.h"
#include "direct.h"
#include "fake_program.h"
#include "inflight.h"
#include "pace.h"
#include "pipeline.h"
#include "sys.h"
#include "unit.h"
#include "usermem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 3 * 1024 * 1024 + 777, BLOCK = 256 * 1024 };

static struct fake_file *disk;
static struct pipeline pipeline;

static void begin(int depth, bool flies)
{
	struct treatment treatment = {.block = BLOCK, .depth = (uint64_t)depth};
	struct inflight inflight;

	disk = program_disk_file("/data/x", SIZE);
	if (flies) {
		ck_assert(inflight_begin(&inflight, INFLIGHT_WORTH));
		inflight_end(&inflight);
	}
	ck_assert(pipeline_begin(&pipeline, &treatment, SIZE));
	pipeline.fd = fake_open(disk, O_RDONLY | O_DIRECT);
	pipeline.align = PAGE;
}

/* Takes up to `most` of the bytes at `at`: how many there are. */
static int64_t expect_some_at(int64_t at, int64_t most)
{
	const char *data;
	int64_t n = smaller(pipeline_at(&pipeline, at, &data), most);

	for (int64_t i = 0; i < n; i++)
		UNIT_HOLDS((unsigned char)data[i] == fake_pattern(at + i));
	return n;
}

static int64_t expect_at(int64_t at)
{
	return expect_some_at(at, INT64_MAX);
}

/* Reads on from `at` to the end by steps of at most `step`. */
static void expect_all(int64_t at, int64_t step)
{
	while (at < SIZE) {
		ck_assert(pipeline_reaches(&pipeline, at));
		int64_t n = expect_some_at(at, step);

		ck_assert_int_gt(n, 0);
		at += n;
	}
	ck_assert_int_eq(at, SIZE);
}

START_TEST(gives_all_bytes_in_order)
{
	/* Expects the file from any place on, by any steps, flying in any order or not. */
	static const int64_t starts[] = {0, 1, 4095, 4096, 100001, SIZE - 1},
			     steps[] = {777, PAGE, 100000, SIZE};

	for (int manner = 0; manner < 5; manner++) {
		begin(1 + manner, manner > 1);
		fake.aio_in_order = manner == 3;
		fake.aio_late = manner == 4;
		for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
			for (size_t j = 0; j < sizeof(steps) / sizeof(steps[0]); j++) {
				pipeline_start(&pipeline, starts[i], 1, SIZE);
				expect_all(starts[i], steps[j]);
			}
		pipeline_end(&pipeline);
	}
	ck_assert_uint_gt(fake.calls[CALL_aio_wait], 100);
	ck_assert_int_eq(fake.maps, 0);
}
END_TEST

START_TEST(first_request_covers_what_is_wanted)
{
	/* Expects one request for as much as a block, then others that grow up to it. */
	begin(1, false);
	pipeline_start(&pipeline, 100, 200000, SIZE);
	ck_assert_int_ge(expect_at(100), 200000);
	ck_assert_uint_eq(fake.calls[CALL_pread], 1);
	pipeline_start(&pipeline, 0, 1, SIZE);
	ck_assert_int_eq(expect_at(0), 128 * KIB);
	ck_assert_int_eq(expect_at(128 * KIB), BLOCK);
	ck_assert_int_eq(expect_at(128 * KIB + BLOCK), BLOCK);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(nothing_is_asked_for_behind_the_end)
{
	/* Expects requests up to the block that holds the end, and 0 there. */
	begin(1, false);
	pipeline_start(&pipeline, 0, 1, 10000);
	ck_assert_int_eq(expect_at(0), 12288);
	ck_assert(!pipeline_reaches(&pipeline, 12288));
	ck_assert(!pipeline_asks(&pipeline, 12288));
	ck_assert_int_eq(expect_at(12288), 0);
	ck_assert_uint_eq(fake.calls[CALL_pread], 1);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(reaches_only_what_it_holds_or_asks_next)
{
	/* Expects neither what lies behind nor what lies beyond its next request. */
	begin(1, false);
	pipeline_start(&pipeline, 0, 1, SIZE);
	expect_at(0);
	ck_assert(pipeline_reaches(&pipeline, 128 * KIB));
	ck_assert(!pipeline_reaches(&pipeline, 128 * KIB + 1));
	ck_assert(!pipeline_asks(&pipeline, 128 * KIB - 1));
	ck_assert(pipeline_asks(&pipeline, 128 * KIB));
	expect_at(128 * KIB);
	ck_assert(!pipeline_reaches(&pipeline, 128 * KIB - 1));
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(depth_is_what_flies)
{
	/* Expects as many requests as the rule says where they can fly, one where they cannot. */
	begin(4, true);
	pipeline_start(&pipeline, 0, 1, SIZE);
	expect_at(0);
	ck_assert_uint_eq(fake.calls[CALL_aio_submit], 4);
	pipeline_end(&pipeline);
	ck_assert_uint_eq(fake.calls[CALL_aio_wait], 4);
	begin(4, false);
	ck_assert_int_eq(pipeline.depth, 4);
}
END_TEST

START_TEST(without_a_context_there_is_one_request)
{
	/* Expects no setup for a short file, and one request at a time. */
	begin(4, false);
	ck_assert_int_eq(pipeline.depth, 1);
	ck_assert_uint_eq(fake.calls[CALL_aio_setup], 0);
	pipeline_end(&pipeline);
}
END_TEST

/* As if `bytes` had been read one request at a time, in this time, and used in that. */
static void pace_was(int64_t bytes, int64_t reading, int64_t used)
{
	pipeline.pace = (struct pace){.bytes = bytes, .reading = reading, .used = used};
}

START_TEST(reads_ahead_once_that_would_save_more_than_it_costs)
{
	/* Expects a context after the first request that could have been read meanwhile. */
	begin(3, false);
	pipeline_start(&pipeline, 0, 1, SIZE);
	ck_assert_int_gt(expect_at(0), 0);
	pace_was(8 * MIB, (int64_t)INFLIGHT_COST * 8, (int64_t)INFLIGHT_COST * 8);
	ck_assert_int_gt(expect_at(100), 0);
	ck_assert_int_eq(pipeline.depth, 1);
	expect_all(128 * KIB, BLOCK);
	ck_assert_int_eq(pipeline.depth, 3);
	ck_assert_uint_gt(fake.calls[CALL_aio_submit], 3);
	pipeline_end(&pipeline);
	ck_assert_int_eq(fake.maps, 0);
}
END_TEST

START_TEST(reads_one_at_a_time_while_that_costs_less)
{
	/* Expects no context where the program only waits, only computes, or is nearly done. */
	begin(3, false);
	pipeline_start(&pipeline, 0, 1, SIZE);
	ck_assert_int_gt(expect_at(0), 0);
	pace_was(8 * MIB, INT64_MAX / 2, 0);
	ck_assert_int_gt(expect_at(128 * KIB), 0);
	pace_was(8 * MIB, 0, INT64_MAX / 2);
	ck_assert_int_gt(expect_at(384 * KIB), 0);
	pace_was(8 * MIB, (int64_t)INFLIGHT_COST * 3, (int64_t)INFLIGHT_COST * 3);
	expect_all(640 * KIB, BLOCK);
	ck_assert_uint_eq(fake.calls[CALL_aio_setup], 0);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(without_more_memory_it_goes_on_alone)
{
	/* Expects the memory that is there to be kept, the context given back, and no second try.
	 */
	begin(3, false);
	pipeline_start(&pipeline, 0, 1, SIZE);
	ck_assert_int_gt(expect_at(0), 0);
	pace_was(8 * MIB, (int64_t)INFLIGHT_COST * 8, (int64_t)INFLIGHT_COST * 8);
	fake_fault(CALL_map, 1, 1, -ENOMEM);
	expect_all(128 * KIB, BLOCK);
	ck_assert_uint_eq(fake.calls[CALL_aio_setup], 1);
	ck_assert_uint_eq(fake.calls[CALL_aio_submit], 0);
	pipeline_end(&pipeline);
	ck_assert_int_eq(fake.maps, 0);
}
END_TEST

START_TEST(pace_is_the_shorter_of_reading_and_using)
{
	/* Expects nothing to be known before some MiB, and pauses between streams not to count. */
	struct pace pace = {0};

	for (int i = 0; i < 4; i++) {
		pace_breaks(&pace);
		sys_sleep(900);
		pace_begins(&pace);
		sys_sleep(10);
		pace_ended(&pace, 2 * MIB);
		ck_assert_int_eq(pace_saves(&pace, 1000 * MIB) > 0, i == 3);
		sys_sleep(8);
		pace_begins(&pace);
		sys_sleep(10);
		pace_ended(&pace, 0);
	}
	ck_assert_int_eq(pace.reading, 80);
	ck_assert_int_eq(pace.used, 32);
	ck_assert_int_eq(pace_saves(&pace, 100 * MIB), 400);
}
END_TEST

/* A disk that takes its time. */
static void reading_takes(enum fake_call call)
{
	if (call == CALL_pread)
		fake.steady += 10;
}

START_TEST(pace_is_measured_where_requests_do_not_fly)
{
	/* Expects how long each request and the use of its bytes took, not a pause or a jump. */
	int64_t at = 0;

	begin(1, false);
	fake.steady = 1000;
	fake.before = reading_takes;
	for (int stream = 0; stream < 3; stream++) {
		sys_sleep(900);
		pipeline_start(&pipeline, at = stream * MIB, BLOCK, SIZE);
		for (int i = 0; i < 3; i++) {
			at += expect_at(at);
			sys_sleep(7);
		}
	}
	ck_assert_int_eq(pipeline.pace.reading, 90);
	ck_assert_int_eq(pipeline.pace.used, 42);
	ck_assert_int_eq(pipeline.pace.bytes, (int64_t)9 * BLOCK);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(refused_submit_is_read_at_once)
{
	/* Expects the bytes all the same, whichever request is refused. */
	static const long results[] = {-EAGAIN, -EINVAL, -ENOMEM};

	for (int nth = 1; nth < 6; nth++) {
		begin(3, true);
		fake_forget_faults();
		fake_fault(CALL_aio_submit, nth, 1, results[nth % 3]);
		pipeline_start(&pipeline, 0, 1, SIZE);
		expect_all(0, 100000);
		pipeline_end(&pipeline);
	}
}
END_TEST

START_TEST(interrupted_wait_goes_on)
{
	/* Expects EINTR to be nobody's business. */
	begin(3, true);
	fake_fault(CALL_aio_wait, 1, 5, -EINTR);
	pipeline_start(&pipeline, 0, 1, SIZE);
	expect_all(0, 100000);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(failed_request_gives_its_error)
{
	/* Expects the error where it happened, and the bytes before and behind it. */
	begin(3, true);
	fake.aio_in_order = true;
	fake_fault(CALL_aio_read, 2, 1, -EIO);
	pipeline_start(&pipeline, 0, 1, SIZE);
	ck_assert_int_eq(expect_at(0), 128 * KIB);
	ck_assert_int_eq(expect_at(128 * KIB), -EIO);
	ck_assert_int_eq(expect_at(128 * KIB + BLOCK), BLOCK);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(short_request_has_no_more)
{
	/* Expects 0 behind what came, and the next request to be where it was. */
	begin(1, false);
	fake_fault(CALL_pread, 1, 1, 8192);
	pipeline_start(&pipeline, 0, 1, SIZE);
	ck_assert_int_eq(expect_at(0), 8192);
	ck_assert_int_eq(expect_at(8000), 192);
	ck_assert_int_eq(expect_at(8192), 0);
	ck_assert_int_eq(expect_at(10000), 0);
	ck_assert_int_eq(expect_at(128 * KIB), BLOCK);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(end_waits_for_what_flies)
{
	/* Expects no memory to be given back that is being read into (the fake kernel looks). */
	begin(4, true);
	pipeline_start(&pipeline, 0, 1, SIZE);
	expect_at(0);
	pipeline_start(&pipeline, MIB, 1, SIZE);
	expect_at(MIB);
	pipeline_end(&pipeline);
	ck_assert_int_eq(fake.maps, 0);
	ck_assert_uint_eq(fake.calls[CALL_aio_wait], fake.calls[CALL_aio_submit]);
}
END_TEST

START_TEST(closed_file_is_read_to_the_end_of_what_flies)
{
	/* Expects requests to keep their file open by themselves. */
	begin(4, true);
	fake.aio_late = true;
	pipeline_start(&pipeline, 0, 1, SIZE);
	expect_at(0);
	fake_close(pipeline.fd);
	ck_assert_int_eq(expect_at(128 * KIB), BLOCK);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(no_memory_is_no_pipeline)
{
	/* Expects false, and nothing kept: neither memory nor a context. */
	struct treatment treatment = {.block = BLOCK, .depth = 2};

	fake_fault(CALL_map, 1, 1, -ENOMEM);
	ck_assert(!pipeline_begin(&pipeline, &treatment, INFLIGHT_WORTH));
	fake_forget_faults();
	fake_fault(CALL_madvise, 3, 1, -EINVAL);
	ck_assert(!pipeline_begin(&pipeline, &treatment, INFLIGHT_WORTH));
	ck_assert_int_eq(fake.maps, 0);
	for (int i = 0; i < 20; i++) {
		ck_assert(pipeline_begin(&pipeline, &treatment, INFLIGHT_WORTH));
		ck_assert_int_eq(pipeline.depth, 2);
		pipeline_end(&pipeline);
	}
	ck_assert_uint_eq(fake.calls[CALL_aio_setup], 1);
}
END_TEST

START_TEST(limited_address_space_is_left_to_the_program)
{
	/* Expects no memory to be taken under RLIMIT_AS. */
	struct treatment treatment = {.block = BLOCK, .depth = 2};

	fake.address_limit = 1 << 30;
	ck_assert(!pipeline_begin(&pipeline, &treatment, INFLIGHT_WORTH));
	ck_assert_int_eq(fake.maps, 0);
	fake.address_limit = 0;
	ck_assert(pipeline_begin(&pipeline, &treatment, INFLIGHT_WORTH));
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(block_is_cut_to_what_is_wanted)
{
	/* Expects no more memory than for the file, and never less than 64 KiB a request. */
	struct treatment treatment = {.block = 4 << 20, .depth = 2};

	ck_assert(pipeline_begin(&pipeline, &treatment, 300001));
	ck_assert_int_eq(pipeline.block, align_up(300001, PAGE));
	pipeline_end(&pipeline);
	ck_assert(pipeline_begin(&pipeline, &treatment, 1));
	ck_assert_int_eq(pipeline.block, 64 * KIB);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(one_stream_takes_half_of_the_memory_at_most)
{
	/* Expects block times depth within 32 MiB, whatever the rule says. */
	struct treatment treatment = {.block = 8 << 20, .depth = 16};

	ck_assert(pipeline_begin(&pipeline, &treatment, 1024 * MIB));
	ck_assert_int_eq(pipeline.block * pipeline.depth, BOUNCE_MOST / 2);
	pipeline_end(&pipeline);
	treatment.block = (uint64_t)1 << 40;
	ck_assert(pipeline_begin(&pipeline, &treatment, 1024 * MIB));
	ck_assert_int_eq(pipeline.block * pipeline.depth, BOUNCE_MOST / 2);
	pipeline_end(&pipeline);
}
END_TEST

START_TEST(memory_is_aligned_and_huge)
{
	/* Expects blocks of 2 MiB and more at a huge page's boundary, others at a page's. */
	struct bounce bounce;

	ck_assert(bounce_begin(&bounce, 100));
	ck_assert_int_eq((intptr_t)bounce.block % PAGE, 0);
	ck_assert_int_eq(bounce.size, PAGE);
	bounce_end(&bounce);
	ck_assert_ptr_null(bounce.block);
	ck_assert(bounce_begin(&bounce, 3 * MIB));
	ck_assert_int_eq((intptr_t)bounce.block % (2 * MIB), 0);
	ck_assert_int_eq(bounce.size, 4 * MIB);
	bounce.block[bounce.size - 1] = 1;
	bounce_end(&bounce);
	bounce_end(&bounce);
	ck_assert_int_eq(fake.maps, 0);
}
END_TEST

START_TEST(memory_of_a_process_is_bounded)
{
	/* Expects 64 MiB to be all there is, and to be there again when it was given back. */
	struct bounce bounces[9];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 8; i++)
			ck_assert(bounce_begin(&bounces[i], 8 * MIB));
		ck_assert(!bounce_begin(&bounces[8], PAGE));
		bounce_end(&bounces[8]);
		for (int i = 0; i < 8; i++)
			bounce_end(&bounces[i]);
	}
	ck_assert_int_eq(fake.maps, 0);
}
END_TEST

START_TEST(memory_is_a_childs_again)
{
	/* Expects the child of fork(2) to begin with all of its own. */
	struct bounce bounces[8];

	for (int i = 0; i < 8; i++)
		ck_assert(bounce_begin(&bounces[i], 8 * MIB));
	fake_fork();
	bounce_forked();
	for (int i = 0; i < 8; i++)
		ck_assert(bounce_begin(&bounces[i], 8 * MIB));
	ck_assert(!bounce_begin(&bounces[0], PAGE));
}
END_TEST

/* Streams of 8 MiB of memory each. */
static int open_stream(int i)
{
	char path[] = "/data/a", byte[100000];
	struct fake_file *file;
	int fd;

	path[6] = (char)('a' + i);
	file = fake_file(path, 20 * MIB);
	file->direct_block = PAGE;
	fd = program_open(file, O_RDONLY);
	ck_assert_int_eq(program_read_into(fd, byte, sizeof(byte), -1), sizeof(byte));
	return fd;
}

START_TEST(ninth_stream_goes_through_the_cache)
{
	/* Expects the reason, and the memory of one that is closed to serve the next. */
	int fd[9];

	disk = program_disk_file("/data/x", PAGE);
	program_begin("* direct,block=8M", NULL);
	for (int i = 0; i < 8; i++) {
		fd[i] = open_stream(i);
		ck_assert_int_eq(program_direct(fd[i]), 100000);
	}
	fd[8] = open_stream(8);
	ck_assert_int_eq(program_direct(fd[8]), 0);
	ck_assert_int_eq(program_reason(fd[8]), REASON_NO_MEMORY);
	program_close(fd[3]);
	fd[3] = open_stream(9);
	ck_assert_int_eq(program_direct(fd[3]), 100000);
}
END_TEST

START_TEST(child_has_memory_of_its_own)
{
	/* Expects the streams of a child to be served, and none of the parent's memory to be
	 * touched. */
	int fd[8];
	char byte[1000];

	disk = program_disk_file("/data/x", PAGE);
	program_begin("* direct,block=8M", NULL);
	for (int i = 0; i < 8; i++)
		fd[i] = open_stream(i);
	fake_fork();
	for (int i = 0; i < 8; i++) {
		program_read_into(fd[i], byte, sizeof(byte), -1);
		program_close(fd[i]);
		fd[i] = open_stream(8 + i);
		ck_assert_int_eq(program_direct(fd[i]), 100000);
	}
}
END_TEST

START_TEST(context_is_made_for_long_streams_and_kept)
{
	/* Expects none for a short stream, one for a long one, and the same for whoever is next. */
	struct inflight first, second;

	ck_assert(!inflight_begin(&first, INFLIGHT_WORTH - 1));
	ck_assert_int_eq(first.index, -1);
	inflight_end(&first);
	ck_assert(inflight_begin(&first, INFLIGHT_WORTH));
	ck_assert(!inflight_begin(&second, 1));
	inflight_end(&first);
	ck_assert(inflight_begin(&second, 1));
	ck_assert_uint_eq(fake.calls[CALL_aio_setup], 1);
	inflight_end(&second);
}
END_TEST

START_TEST(contexts_are_few_and_each_is_of_one_stream)
{
	/* Expects no more than eight, none twice, and a refused one to be asked for again. */
	struct inflight many[9];

	for (int i = 0; i < 8; i++) {
		ck_assert(inflight_begin(&many[i], INFLIGHT_WORTH));
		for (int j = 0; j < i; j++)
			ck_assert_int_ne(many[i].index, many[j].index);
	}
	ck_assert(!inflight_begin(&many[8], INFLIGHT_WORTH));
	inflight_end(&many[5]);
	ck_assert(inflight_begin(&many[8], 1));
}
END_TEST

START_TEST(refused_context_is_asked_for_again)
{
	/* Expects a stream without, and the next one to have it. */
	struct inflight inflight;

	fake_fault(CALL_aio_setup, 1, 1, -EAGAIN);
	ck_assert(!inflight_begin(&inflight, INFLIGHT_WORTH));
	ck_assert(inflight_begin(&inflight, INFLIGHT_WORTH));
}
END_TEST

START_TEST(child_of_fork_makes_its_own_context)
{
	/* Expects the parent's not to be used, or to stay taken. */
	struct inflight inflight;

	begin(2, true);
	fake_fork();
	inflight_forked();
	bounce_forked();
	ck_assert(!inflight_begin(&inflight, 1));
	begin(2, true);
	pipeline_start(&pipeline, 0, 1, SIZE);
	expect_all(0, 100000);
}
END_TEST

START_TEST(bad_memory_is_known)
{
	/* Expects a range with a bad page in it to be neither readable nor writable. */
	char *edge = fake_memory(8192);
	struct usermem known = {0};

	ck_assert(usermem_writable(&known, edge, 8192));
	ck_assert(usermem_readable(edge, 8192));
	ck_assert(!usermem_writable(&known, edge, 8193));
	ck_assert(!usermem_writable(&known, edge + 8000, 8192));
	ck_assert(!usermem_readable(edge, 8193));
	ck_assert(!usermem_writable(&known, edge + 8192, 1));
	ck_assert(!usermem_readable(edge + 8192 + 4095, 1));
	ck_assert(usermem_writable(&known, edge, 8192));
}
END_TEST

START_TEST(small_answers_are_remembered)
{
	/* Expects one call for small requests in known pages, one for each large one. */
	char *edge = fake_memory(300000);
	struct usermem known = {0};
	unsigned long before = fake.calls[CALL_madvise];

	for (int i = 0; i < 10; i++)
		ck_assert(usermem_writable(&known, edge, 1000));
	ck_assert_uint_eq(fake.calls[CALL_madvise], before + 1);
	usermem_changed();
	ck_assert(usermem_writable(&known, edge, 1000));
	ck_assert_uint_eq(fake.calls[CALL_madvise], before + 2);
	for (int i = 0; i < 3; i++)
		ck_assert(usermem_writable(&known, edge, USERMEM_SMALL));
	ck_assert_uint_eq(fake.calls[CALL_madvise], before + 5);
	fake_fault(CALL_madvise, 1, 1, -EFAULT);
	ck_assert(!usermem_writable(&known, edge + 200000, 1000));
	ck_assert(usermem_writable(&known, edge, 1000));
	ck_assert_uint_eq(fake.calls[CALL_madvise], before + 7);
}
END_TEST

START_TEST(no_program_has_memory_there)
{
	/* Expects lengths and places beyond a program's half of the addresses to be refused. */
	ck_assert(usermem_spans((void *)4096, 1));
	ck_assert(!usermem_spans((void *)4096, SIZE_MAX));
	ck_assert(!usermem_spans((void *)UINTPTR_MAX, 1));
	ck_assert(!usermem_spans((void *)USERMEM_END, 1));
}
END_TEST

UNIT_MAIN("pipeline", gives_all_bytes_in_order, first_request_covers_what_is_wanted,
	  nothing_is_asked_for_behind_the_end, reaches_only_what_it_holds_or_asks_next,
	  depth_is_what_flies, without_a_context_there_is_one_request,
	  reads_ahead_once_that_would_save_more_than_it_costs,
	  reads_one_at_a_time_while_that_costs_less, without_more_memory_it_goes_on_alone,
	  pace_is_the_shorter_of_reading_and_using, pace_is_measured_where_requests_do_not_fly,
	  refused_submit_is_read_at_once, interrupted_wait_goes_on, failed_request_gives_its_error,
	  short_request_has_no_more, end_waits_for_what_flies,
	  closed_file_is_read_to_the_end_of_what_flies, no_memory_is_no_pipeline,
	  limited_address_space_is_left_to_the_program, block_is_cut_to_what_is_wanted,
	  one_stream_takes_half_of_the_memory_at_most, memory_is_aligned_and_huge,
	  memory_of_a_process_is_bounded, memory_is_a_childs_again,
	  ninth_stream_goes_through_the_cache, child_has_memory_of_its_own,
	  context_is_made_for_long_streams_and_kept, contexts_are_few_and_each_is_of_one_stream,
	  refused_context_is_asked_for_again, child_of_fork_makes_its_own_context,
	  bad_memory_is_known, small_answers_are_remembered, no_program_has_memory_there)
