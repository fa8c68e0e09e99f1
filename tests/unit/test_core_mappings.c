/* test_core_mappings.c - what is mapped when the program ends goes then, and only what may. */
#include "fake_program.h"
#include "settle.h"
#include "settle_list.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

enum { BIG = 8 * MIB };

static struct fake_file *disk;

/* A cold file of which the program maps all. */
static int begin(const char *permissions)
{
	int fd;

	disk = fake_file("/data/x", BIG);
	program_begin("/data/* dontneed", NULL);
	fd = program_open(disk, O_RDWR);
	engine_mapped(engine_file(fd), permissions[1] == 'w');
	fake_map(disk, permissions);
	return fd;
}

START_TEST(closed_file_goes_at_the_end)
{
	/* Expects what is mapped to stay at close and at another munmap, and to go at the end. */
	program_close(begin("r--s"));
	ck_assert_int_eq(disk->own, BIG);
	engine_unmapped(BIG);
	ck_assert_int_eq(disk->own, BIG);
	engine_exit();
	ck_assert_int_eq(disk->own, 0);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(open_file_goes_at_the_end)
{
	/* Expects the same of one whose descriptor is open, and its record to say so. */
	disk = fake_file("/data/x", BIG);
	program_begin("/data/* dontneed", "/log");
	engine_mapped(engine_file(program_open(disk, O_RDONLY)), false);
	fake_map(disk, "r--p");
	engine_exit();
	ck_assert_int_eq(disk->own, 0);
	ck_assert_ptr_nonnull(strstr(program_log("/log"), " cached_after=0 "));
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(what_was_stored_is_written_out_first)
{
	/* Expects dirty pages, of an open file and of a closed one, to be on the disk and gone. */
	struct fake_file *other = fake_file("/data/other", BIG);
	int fd = begin("rw-s"), second = program_open(other, O_RDWR);

	engine_mapped(engine_file(second), true);
	fake_map(other, "rw-s");
	disk->naps = other->naps = 2;
	pages_bring_in(disk, 0, BIG, DIRTY);
	pages_bring_in(other, 0, BIG, DIRTY);
	program_close(fd);
	engine_exit();
	ck_assert_int_eq(disk->dirty + other->dirty, 0);
	ck_assert_int_eq(disk->own + other->own, 0);
}
END_TEST

START_TEST(line_far_down_is_found)
{
	/* Expects mappings behind more lines than fit one buffer to be found, whatever is in those.
	 */
	char line[300];
	int fd;

	for (int i = 0; i < 100; i++) {
		snprintf(line, sizeof(line), "%x000-%x800 rw-p 00000000 00:00 0%*s", i + 1, i + 1,
			 i, "");
		fake_maps_line(line);
		snprintf(line, sizeof(line), "ff%x-ff%x r--s 00000000 00:01 1001    /gone/%0200d",
			 i, i, i);
		fake_maps_line(line);
	}
	fake_maps_line("");
	fake_maps_line("no mapping at all");
	fd = begin("r--s");
	program_close(fd);
	engine_exit();
	ck_assert_int_eq(disk->own, 0);
}
END_TEST

static void expect_none_given_up(void)
{
	unsigned long before = fake.calls[CALL_madvise];

	engine_exit();
	ck_assert_uint_eq(fake.calls[CALL_madvise], before);
	ck_assert_int_eq(disk->own, BIG);
}

START_TEST(private_memory_is_let_alone)
{
	/* Expects no advice on a private mapping that is writable. */
	program_close(begin("rw-p"));
	expect_none_given_up();
}
END_TEST

START_TEST(another_files_mapping_is_let_alone)
{
	/* Expects no advice where the name has become that of another file. */
	program_close(begin("r--s"));
	disk->unlinked = true;
	fake_file("/data/x", BIG);
	expect_none_given_up();
}
END_TEST

START_TEST(what_was_cached_stays)
{
	/* Expects no advice on files, open or closed, of which a page far down was cached before.
	 */
	unsigned long before;
	int fd;

	disk = fake_file("/data/x", 12 * MIB);
	fake_warm(disk, 11 * MIB, 11 * MIB + PAGE);
	program_begin("/data/* dontneed", NULL);
	fd = program_open(disk, O_RDONLY);
	engine_mapped(engine_file(fd), false);
	fake_map(disk, "r--s");
	before = fake.calls[CALL_madvise];
	engine_exec();
	engine_exec_failed();
	program_close(fd);
	engine_exec();
	ck_assert_uint_eq(fake.calls[CALL_madvise], before);
	ck_assert_int_eq(fake_bytes(disk, CACHED, 0, 12 * MIB), 12 * MIB);
}
END_TEST

START_TEST(held_file_gives_way)
{
	/* Expects a full list to take one more where a file is held, and no other. */
	struct settle_entry *entry = NULL;

	for (int i = 0; i < SETTLE_ENTRIES; i++) {
		entry = settle_take_free(1, 1);
		settle_put(entry, i == 100 ? SETTLE_HELD : SETTLE_LISTED);
	}
	ck_assert_ptr_eq(settle_take_free(1, 2), &settle_entries[100]);
	ck_assert_ptr_null(settle_take_free(1, 3));
}
END_TEST

START_TEST(without_proc_nothing_is_given_up)
{
	/* Expects an end as ever where /proc/self/maps cannot be opened or read. */
	program_close(begin("r--s"));
	fake_find("/proc/self/maps")->unlinked = true;
	expect_none_given_up();
}
END_TEST

UNIT_MAIN("core_mappings", closed_file_goes_at_the_end, open_file_goes_at_the_end,
	  what_was_stored_is_written_out_first, line_far_down_is_found, private_memory_is_let_alone,
	  another_files_mapping_is_let_alone, what_was_cached_stays, held_file_gives_way,
	  without_proc_nothing_is_given_up)
