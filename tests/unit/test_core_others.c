/* test_core_others.c - pages that others bring in meanwhile, or that nobody can tell of, stay. */
#include "engine.h"
#include "fake_program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

enum { WINDOW = 8 << 20, BLOCK = 128 << 10, FOREVER = 1 << 30 };

/* A file on overlayfs, where cachestat says 0. */
static struct fake_file *overlay_file(int64_t size)
{
	struct fake_file *file = fake_file("/merged/big", size);

	file->blind = true;
	file->fstype = 0x794c7630;
	file->minor = 7;
	return file;
}

static void expect_theirs(const struct fake_file *file, int64_t bytes)
{
	ck_assert_int_eq(fake_bytes(file, THEIRS, 0, file->size), bytes);
}

/* Reads from the start up to `to`; the descriptor stays open. */
static int read_up_to(struct fake_file *file, int64_t to)
{
	int fd = program_open(file, O_RDONLY);

	program_read_all(fd, BLOCK, 0, to);
	return fd;
}

/* The same under `* dontneed`, of a file of `size` bytes. */
static int stream_up_to(struct fake_file **file, int64_t size, int64_t to)
{
	*file = fake_file("/data/big", size);
	program_begin("* dontneed", NULL);
	return read_up_to(*file, to);
}

/* Closes the descriptor: of the file that is left which is somebody else's, and nothing more. */
static void close_and_expect(int fd, const struct fake_file *file, int64_t theirs)
{
	program_close(fd);
	expect_theirs(file, theirs);
	ck_assert_int_eq(file->own, 0);
}

START_TEST(what_comes_back_behind_the_stream_stays)
{
	/* Expects what somebody else reads behind the stream to be there after its close. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 60 * MIB, 40 * MIB);

	fake_warm(file, 5 * MIB, 15 * MIB);
	program_read_all(fd, BLOCK, 40 * MIB, file->size);
	program_close(fd);
	expect_theirs(file, 10 * MIB);
	program_expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(what_comes_in_far_ahead_stays)
{
	/* Expects what somebody else reads where the program never comes to stay. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 100 * MIB, 20 * MIB);

	fake_warm(file, 70 * MIB, 100 * MIB);
	close_and_expect(fd, file, 30 * MIB);
}
END_TEST

START_TEST(folio_that_does_not_go_at_once_goes_at_the_end)
{
	/* Expects nothing left where some pages behind the stream could not be dropped in time. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 60 * MIB, 20 * MIB);

	file->clings = true;
	program_read_all(fd, BLOCK, 20 * MIB, 30 * MIB);
	file->clings = false;
	program_read_all(fd, BLOCK, 30 * MIB, file->size);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(jump_that_was_not_looked_at_leaves_nothing)
{
	/* Expects pages read elsewhere after a stream to go as well. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 100 * MIB, 20 * MIB);

	program_read(fd, PAGE, 90 * MIB);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(jump_amid_a_stream_leaves_nothing)
{
	/* Expects the same of a jump that the stream went on after. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 100 * MIB, 20 * MIB);

	program_read(fd, PAGE, 90 * MIB);
	program_read_all(fd, BLOCK, 20 * MIB, 40 * MIB);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(own_pages_ahead_of_a_stream_leave_nothing)
{
	/* Expects a stream that comes upon what was read before it not to take that for theirs. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 60 * MIB, 0);

	program_read(fd, 64 * 1024, 30 * MIB);
	program_read_all(fd, BLOCK, 0, file->size);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(seek_before_the_first_read_is_no_jump)
{
	/* Expects a stream after a seek to leave what others read where it never comes. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 60 * MIB, 0);

	program_seek(fd, 0);
	while (fake_offset(fd) < 30 * MIB)
		program_read(fd, BLOCK, -1);
	fake_warm(file, 50 * MIB, 60 * MIB);
	close_and_expect(fd, file, 10 * MIB);
}
END_TEST

/* Comes back after a stream of the whole file, by large reads at falling offsets. */
static void read_backwards(int fd)
{
	for (int64_t at = 56 * MIB; at > 0; at -= 3 * MIB)
		program_read(fd, MIB, at);
}

START_TEST(jumps_back_that_were_looked_at_leave_nothing)
{
	/* Expects what a stream comes back to, after it was seen to be gone, to go as well. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 60 * MIB, 60 * MIB);

	read_backwards(fd);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(jumps_back_onto_own_pages_leave_nothing)
{
	/* Expects what the program read before it was a stream not to be taken for somebody else's.
	 */
	struct fake_file *file;
	int fd = stream_up_to(&file, 60 * MIB, 0);

	program_read(fd, 64 * 1024, 30 * MIB);
	read_backwards(fd);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(reads_past_a_thread_that_holds_the_windows_leave_nothing)
{
	/* Expects what threads read while one of them is stopped at its look to be the stream's. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 60 * MIB, 20 * MIB);
	struct file *record = engine_file(fd);

	ck_assert(file_hold(record));
	program_read_all(fd, BLOCK, 20 * MIB, 40 * MIB);
	file_release(record);
	program_read_all(fd, BLOCK, 40 * MIB, 50 * MIB);
	ck_assert(file_hold(record));
	program_read_all(fd, BLOCK, 50 * MIB, file->size);
	file_release(record);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(direct_reader_leaves_what_comes_in_by_others)
{
	/* Expects the end of a stream past the cache to drop nothing that it never touched. */
	struct fake_file *file = program_disk_file("/data/big", 100 * MIB);
	int fd;

	program_begin("* direct", NULL);
	fd = read_up_to(file, 50 * MIB);
	ck_assert_int_gt(program_direct(fd), 40 * MIB);
	fake_warm(file, 60 * MIB, 70 * MIB);
	close_and_expect(fd, file, 10 * MIB);
}
END_TEST

START_TEST(unknown_pages_of_a_file_written_in_place_stay)
{
	/* Expects a descriptor that tells nothing to cost nobody a page, and the reason to be
	 * named. */
	struct fake_file *file = overlay_file(20 * MIB);
	int fd;

	program_begin("* dontneed", NULL);
	fake_warm(file, 0, 10 * MIB);
	fd = program_open(file, O_WRONLY);
	ck_assert_int_eq(program_reason(fd), REASON_KEEP_UNKNOWN);
	program_write_all(fd, BLOCK, 0, 5 * MIB);
	program_close(fd);
	expect_theirs(file, 10 * MIB);
}
END_TEST

START_TEST(file_that_was_emptied_leaves_nothing_where_nobody_tells)
{
	/* Expects a new file to be its writer's, and no reason. */
	struct fake_file *file = overlay_file(0);
	int fd;

	program_begin("* dontneed", NULL);
	fd = program_open(file, O_WRONLY | O_TRUNC);
	ck_assert_int_eq(program_reason(fd), REASON_NONE);
	program_write_all(fd, BLOCK, 0, 20 * MIB);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(hot_part_beyond_what_mincore_is_asked_first_stays)
{
	/* Expects a large file of which only the end is hot not to be taken for cold. */
	struct fake_file *file = overlay_file(200 * MIB);

	program_begin("* dontneed", NULL);
	fake_warm(file, 150 * MIB, 200 * MIB);
	close_and_expect(read_up_to(file, 30 * MIB), file, 50 * MIB);
	close_and_expect(read_up_to(file, file->size), file, 50 * MIB);
}
END_TEST

static struct fake_file *begin_as_stranger(const char *path, int64_t size)
{
	fake_fault(CALL_cachestat, 1, FOREVER, -EPERM);
	program_begin("* dontneed", NULL);
	return fake_file(path, size);
}

START_TEST(first_read_tells_who_may_not_ask)
{
	/* Expects a hot file to stay and a cold one to go, small or large. */
	struct fake_file *small = begin_as_stranger("/data/small", 64 * KIB);
	struct fake_file *big = fake_file("/data/big", 40 * MIB);

	program_read_file(small, 16 * KIB);
	ck_assert_int_eq(small->own, 0);
	fake_warm(small, 0, small->size);
	program_read_file(small, 16 * KIB);
	expect_theirs(small, small->size);
	program_read_file(big, BLOCK);
	ck_assert_int_eq(big->own, 0);
	fake_warm(big, 0, big->size);
	program_read_file(big, BLOCK);
	expect_theirs(big, big->size);
	ck_assert_uint_eq(fake.calls[CALL_mincore], 0);
}
END_TEST

START_TEST(each_unit_tells_who_may_not_ask)
{
	/* Expects the hot half of a file whose start is cold to stay. */
	struct fake_file *file = begin_as_stranger("/data/half", 60 * MIB);

	fake_warm(file, 30 * MIB, 60 * MIB);
	program_read_file(file, BLOCK);
	expect_theirs(file, 30 * MIB);
	program_expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(where_nothing_tells_only_what_was_streamed_goes)
{
	/* Expects a short look at a hot file to cost nobody a page, and a stream to be bounded. */
	struct fake_file *file = begin_as_stranger("/data/hot", 40 * MIB);

	fake_fault(CALL_preadv2, 1, FOREVER, -EOPNOTSUPP);
	fake_warm(file, 0, file->size);
	program_close(read_up_to(file, BLOCK));
	expect_theirs(file, file->size);
	file = fake_file("/data/cold", 40 * MIB);
	program_read_file(file, BLOCK);
	program_expect_bounded(file, WINDOW + BLOCK);
}
END_TEST

START_TEST(what_another_stream_dropped_is_asked_for_again)
{
	/* Expects pages ahead that vanish to come back by one advice, not block by block. */
	struct fake_file *file;
	int fd = stream_up_to(&file, 40 * MIB, 10 * MIB);

	pages_drop(file, 0, file->size);
	ck_assert_int_eq(file->own, 0);
	program_read_all(fd, BLOCK, 10 * MIB, 11 * MIB + BLOCK);
	ck_assert_int_gt(fake_bytes(file, CACHED, 11 * MIB + BLOCK, 14 * MIB), 2 * MIB);
	close_and_expect(fd, file, 0);
}
END_TEST

START_TEST(last_description_of_a_file_drops)
{
	/* Expects one of two to leave the pages to the other, and that one to drop them, even
	 * unread. */
	struct fake_file *file = fake_file("/data/small", 128 * KIB);
	int one, other;

	program_begin("* dontneed", NULL);
	one = program_open(file, O_RDONLY);
	other = program_open(file, O_RDONLY);
	program_read_all(one, 16 * KIB, 0, file->size);
	program_close(one);
	ck_assert_int_eq(file->own, file->size);
	close_and_expect(other, file, 0);
}
END_TEST

START_TEST(hot_part_of_a_file_that_waits_to_be_settled_stays)
{
	/* Expects a file that is appended to again and again to keep what was hot, and no more. */
	struct fake_file *file = fake_file("/data/log", MIB);

	program_begin("* dontneed", NULL);
	fake_warm(file, 0, file->size);
	for (int i = 0; i < 3; i++) {
		int fd = program_open(file, O_WRONLY | O_APPEND);

		program_write(fd, 64 * KIB, -1);
		program_close(fd);
	}
	engine_exit();
	expect_theirs(file, MIB);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

static void write_in_place(struct fake_file *file, int64_t to, int64_t theirs)
{
	int fd = program_open(file, O_RDWR);

	program_write_all(fd, BLOCK, 0, to);
	close_and_expect(fd, file, theirs);
}

START_TEST(end_of_a_disk_is_not_searched_for)
{
	/* Expects what a program read of a block device to go, in no time by its (unknown) size. */
	struct fake_file *disk = fake_file("/dev/disk", 40 * MIB);

	disk->mode = S_IFBLK | 0600;
	program_begin("* dontneed", NULL);
	close_and_expect(read_up_to(disk, 20 * MIB), disk, 0);
	write_in_place(disk, 20 * MIB, 0);
	fake_warm(disk, 30 * MIB, 40 * MIB);
	write_in_place(disk, 20 * MIB, 10 * MIB);
}
END_TEST

START_TEST(what_a_hot_file_grows_by_is_streamed)
{
	/* Expects a hot file that becomes a large one to be read through a window from there on. */
	struct fake_file *file = fake_file("/data/log", MIB);
	int fd;

	program_begin("* dontneed", NULL);
	fake_warm(file, 0, file->size);
	fd = read_up_to(file, MIB);
	fake_truncate(file, 60 * MIB);
	program_read_all(fd, BLOCK, MIB, file->size);
	program_close(fd);
	expect_theirs(file, MIB);
	ck_assert_int_le(file->own_peak, WINDOW + 2 * MIB);
	ck_assert_int_le(file->own, 2 * MIB);
}
END_TEST

UNIT_MAIN("core_others", what_comes_back_behind_the_stream_stays, what_comes_in_far_ahead_stays,
	  folio_that_does_not_go_at_once_goes_at_the_end,
	  jump_that_was_not_looked_at_leaves_nothing, jump_amid_a_stream_leaves_nothing,
	  own_pages_ahead_of_a_stream_leave_nothing, seek_before_the_first_read_is_no_jump,
	  jumps_back_that_were_looked_at_leave_nothing, jumps_back_onto_own_pages_leave_nothing,
	  reads_past_a_thread_that_holds_the_windows_leave_nothing,
	  direct_reader_leaves_what_comes_in_by_others,
	  unknown_pages_of_a_file_written_in_place_stay,
	  file_that_was_emptied_leaves_nothing_where_nobody_tells,
	  hot_part_beyond_what_mincore_is_asked_first_stays, first_read_tells_who_may_not_ask,
	  each_unit_tells_who_may_not_ask, where_nothing_tells_only_what_was_streamed_goes,
	  what_another_stream_dropped_is_asked_for_again, last_description_of_a_file_drops,
	  hot_part_of_a_file_that_waits_to_be_settled_stays, end_of_a_disk_is_not_searched_for,
	  what_a_hot_file_grows_by_is_streamed)
