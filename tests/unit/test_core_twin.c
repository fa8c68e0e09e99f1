/* test_core_twin.c - private descriptions come, are known again, and go without harm. */
#include "direct.h"
#include "direct_file.h"
#include "fake_program.h"
#include "fdtab.h"
#include "twin.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 3 * 1024 * 1024 };

static struct fake_file *disk;
static char *memory;

static int begin(int flags)
{
	disk = program_disk_file("/data/x", SIZE);
	memory = aligned_alloc(PAGE, SIZE);
	return program_open_direct(disk, flags);
}

static void expect_read(int fd, int64_t n)
{
	int64_t at = fake_offset(fd);

	ck_assert_int_eq(program_read_into(fd, memory, (size_t)n, -1), n);
	for (int64_t i = 0; i < n; i++)
		UNIT_HOLDS((unsigned char)memory[i] == fake_pattern(at + i));
}

/* The number of the only descriptor that the shim holds. */
static int hidden(void)
{
	ck_assert_int_eq(fake.hidden, 1);
	for (int fd = 0; fd < FAKE_FDS; fd++)
		if (fake.fd[fd] && fake.fd[fd]->hidden)
			return fd;
	return -1;
}

static int begin_stream(void)
{
	int fd = begin(O_RDONLY);

	expect_read(fd, 4096);
	ck_assert_int_eq(program_direct(fd), 4096);
	hidden();
	return fd;
}

static struct file *record(int fd)
{
	struct file *file = engine_file(fd);

	ck_assert_ptr_nonnull(file);
	return file;
}

START_TEST(twin_is_high_direct_and_hidden)
{
	/* Expects one description of its own with O_DIRECT, on a high number shown as free. */
	int fd = begin_stream();

	ck_assert_int_ge(hidden(), FAKE_HIGH);
	ck_assert_int_eq(fake.fd[hidden()]->flags & (O_DIRECT | O_ACCMODE), O_DIRECT | O_RDONLY);
	ck_assert(engine_hides(hidden()));
	ck_assert(!engine_hides(fd));
	ck_assert(!engine_hides(hidden() + 1));
	ck_assert_int_eq(fake.fd[fd]->flags, O_RDONLY);
}
END_TEST

START_TEST(twin_shares_noatime)
{
	/* Expects a reader that leaves the access time alone to have a twin that does. */
	int fd = begin(O_RDONLY | O_NOATIME);

	expect_read(fd, 4096);
	ck_assert(fake.fd[hidden()]->flags & O_NOATIME);
}
END_TEST

START_TEST(no_high_number_means_no_twin)
{
	/* Expects plain reads with the reason, and nothing left open. */
	int fd = begin(O_RDONLY);

	fake_fault(CALL_duplicate, 1, 100, -EINVAL);
	expect_read(fd, 4096);
	expect_read(fd, 4096);
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(program_reason(fd), REASON_NO_DIRECT);
}
END_TEST

static struct fake_file *intruder;

static void replace_link(enum fake_call call)
{
	if (call == CALL_openat)
		fake.fd[3]->file = intruder;
	if (call == CALL_duplicate || call == CALL_close)
		fake.fd[3]->file = disk;
}

START_TEST(twin_of_another_file_is_not_taken)
{
	/* Expects what /proc/self/fd led to elsewhere to be closed again, and plain reads. */
	int fd = begin(O_RDONLY);

	ck_assert_int_eq(fd, 3);
	intruder = program_disk_file("/data/y", SIZE);
	fake.before = replace_link;
	expect_read(fd, 4096);
	fake.before = NULL;
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_int_eq(program_direct(fd), 0);
}
END_TEST

START_TEST(twin_closed_unseen_is_opened_again)
{
	/* Expects the right bytes, and another twin. */
	int fd = begin_stream();

	fake_close(hidden());
	for (int i = 0; i < 20; i++)
		expect_read(fd, 100000);
	ck_assert_int_eq(program_direct(fd), 4096 + 20 * 100000);
	hidden();
}
END_TEST

START_TEST(number_taken_by_another_file_is_not_used)
{
	/* Expects no byte of the file that has the twin's number now, and it to stay open. */
	int fd = begin_stream(), number = hidden();
	struct fake_file *other = program_disk_file("/data/y", SIZE);

	memset(other->data, 'y', SIZE);
	fake_close(number);
	ck_assert_int_eq(fake_number(fake_description(other, O_RDONLY | O_DIRECT), number), number);
	for (int i = 0; i < 20; i++)
		expect_read(fd, 100000);
	program_close(fd);
	ck_assert_ptr_nonnull(fake.fd[number]);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(number_taken_by_the_same_file_is_not_closed)
{
	/* Expects a descriptor of the program's to stay open, and to read right bytes meanwhile. */
	int fd = begin_stream(), number = hidden();

	fake_close(number);
	ck_assert_int_eq(fake_number(fake_description(disk, O_RDONLY), number), number);
	for (int i = 0; i < 20; i++)
		expect_read(fd, 100000);
	program_close(fd);
	ck_assert_ptr_nonnull(fake.fd[number]);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(number_taken_to_append_to_the_same_file_is_not_written_to)
{
	/* Expects the bytes where they belong: pwrite(2) appends where the description does. */
	int fd = begin(O_WRONLY), number;

	memset(memory, 'w', MIB);
	ck_assert_int_eq(program_write_from(fd, memory, MIB, 0), MIB);
	number = hidden();
	fake_close(number);
	fake_number(fake_description(disk, O_WRONLY | O_APPEND), number);
	ck_assert_int_eq(program_write_from(fd, memory, MIB, MIB), MIB);
	ck_assert_int_eq(disk->size, SIZE);
	ck_assert_int_eq(disk->data[2 * MIB - 1], 'w');
	program_close(fd);
	ck_assert_ptr_nonnull(fake.fd[number]);
}
END_TEST

START_TEST(number_taken_by_another_twin_stays_its)
{
	/* Expects the close of a file whose twin is gone not to uncover the twin that came there.
	 */
	int fd = begin_stream(), number = hidden(), out = program_open(disk, O_WRONLY);

	fake_close(number);
	ck_assert_int_eq(program_write_from(out, memory, MIB, 0), MIB);
	ck_assert_int_eq(hidden(), number);
	program_close(fd);
	ck_assert_int_eq(hidden(), number);
	ck_assert(engine_hides(number));
	program_close(out);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(number_replaced_by_the_program_is_lost)
{
	/* Expects dup2(2) onto the hidden number to work as onto a free one, and reading to go on.
	 */
	int fd = begin_stream(), number = hidden();

	engine_uncovers(number);
	ck_assert_int_eq(fake.hidden, 0);
	fake_number(fake.fd[fd], number);
	engine_duplicated(fd, number);
	ck_assert(!engine_hides(number));
	expect_read(fd, 100000);
	program_close(fd);
	ck_assert_ptr_nonnull(fake.fd[number]);
}
END_TEST

START_TEST(closing_a_range_loses_the_twins_in_it)
{
	/* Expects close_range(2) over the high numbers to find nothing of ours there. */
	int fd = begin_stream();

	engine_closing_range((unsigned)hidden() + 1, ~0U);
	hidden();
	engine_closing_range(FAKE_HIGH, ~0U);
	ck_assert_int_eq(fake.hidden, 0);
	expect_read(fd, 100000);
}
END_TEST

START_TEST(file_with_locks_gets_no_twin)
{
	/* Expects plain reads and writes, with the reason, where somebody has locks on the file. */
	int fd = begin(O_RDWR);

	disk->locked = true;
	expect_read(fd, 4096);
	expect_read(fd, MIB);
	ck_assert_int_eq(program_write_from(fd, memory, MIB, 0), MIB);
	ck_assert_int_eq(program_direct(fd), 0);
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_int_eq(program_reason(fd), REASON_LOCKED);
}
END_TEST

START_TEST(unknown_locks_count_as_locks)
{
	/* Expects no twin where the kernel does not tell of locks. */
	int fd = begin(O_RDONLY);

	fake_fault(CALL_lock_on, 1, 100, -EINVAL);
	expect_read(fd, 4096);
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_int_eq(program_reason(fd), REASON_LOCKED);
}
END_TEST

START_TEST(twins_go_before_a_lock_is_taken)
{
	/* Expects those of every description of the file to be gone, and none to come back. */
	int fd = begin_stream(), other = program_open(disk, O_RDONLY);

	expect_read(other, 4096);
	ck_assert_int_eq(fake.hidden, 2);
	engine_locks(other);
	ck_assert_int_eq(fake.hidden, 0);
	disk->locked = true;
	expect_read(fd, MIB);
	expect_read(other, MIB);
	ck_assert_int_eq(fake.hidden, 0);
	disk->locked = false;
	expect_read(fd, MIB);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(twin_stays_while_there_are_locks)
{
	/* Expects a twin of a file that turns out to be locked not to be closed, and to be hidden.
	 */
	int fd = begin_stream(), number = hidden();

	disk->locked = true;
	engine_locks(fd);
	ck_assert_int_eq(hidden(), number);
	expect_read(fd, MIB);
	ck_assert_int_eq(hidden(), number);
}
END_TEST

START_TEST(close_takes_the_twin_along)
{
	/* Expects the program's own close to close it, which drops locks anyway. */
	int fd = begin_stream(), copy = program_dup(fd);

	program_close(fd);
	hidden();
	program_close(copy);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

static int closing;
static struct direct *held;

/* Another thread closes the descriptor in the middle of a read. */
static void close_now(enum fake_call call)
{
	if (call != CALL_pread || closing < 0)
		return;
	fake.before = NULL;
	held = atomic_load(&record(closing)->direct);
	engine_closing(closing, false);
	fake_close(closing);
	closing = -1;
}

START_TEST(close_in_the_middle_of_a_read_leaves_it_to_the_reader)
{
	/* Expects the holder to finish with what it has and then to take it down. */
	int fd = begin(O_RDONLY);

	closing = fd;
	fake.before = close_now;
	program_read_into(fd, memory, 100000, -1);
	ck_assert_int_eq(closing, -1);
	ck_assert_ptr_nonnull(held);
	ck_assert_ptr_null(held->file);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

/* The same when memory is taken for what a close would take down, which is not there yet. */
static void close_first(enum fake_call call)
{
	if (call != CALL_map)
		return;
	fake.before = NULL;
	program_close(closing);
}

START_TEST(close_before_the_first_read_leaves_nothing)
{
	/* Expects nothing to be made for a record that no number means any more. */
	struct file *file = record(closing = begin(O_RDONLY));

	fake.before = close_first;
	ck_assert_ptr_null(direct_hold(file, closing));
	ck_assert_ptr_null(fake.before);
	ck_assert_ptr_null(atomic_load(&file->direct));
}
END_TEST

static int going, gone;

static void expect_shown(enum fake_call call)
{
	if (call != CALL_close)
		return;
	ck_assert(fdtab_get(going) != FD_HIDDEN);
	gone++;
}

START_TEST(number_is_no_longer_hidden_when_it_is_free)
{
	/* Expects what hides it to go first: once it is closed it may be another thread's twin. */
	int fd = begin_stream();

	going = hidden();
	fake.before = expect_shown;
	direct_leave(record(fd));
	ck_assert_int_eq(gone, 1);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

static int locking;

static void lock_now(enum fake_call call)
{
	if (call != CALL_pread || locking < 0)
		return;
	fake.before = NULL;
	engine_locks(locking);
	disk->locked = true;
	locking = -1;
}

START_TEST(lock_in_the_middle_of_a_read_keeps_the_twin)
{
	/* Expects no close of any descriptor of the file by us, once it has a lock. */
	int fd = begin(O_RDONLY);

	locking = fd;
	fake.before = lock_now;
	expect_read(fd, 100000);
	ck_assert_int_eq(locking, -1);
	expect_read(fd, 100000);
	ck_assert_int_eq(fake.hidden, 1);
}
END_TEST

START_TEST(held_file_is_nobody_elses)
{
	/* Expects a second holder to be turned away, and its reads to be plain. */
	int fd = begin_stream();
	struct direct *direct = direct_hold(record(fd), fd);

	ck_assert_ptr_nonnull(direct);
	ck_assert_ptr_null(direct_hold(record(fd), fd));
	expect_read(fd, 100000);
	ck_assert_int_eq(program_direct(fd), 4096);
	direct_release(direct);
	expect_read(fd, 100000);
	expect_read(fd, 100000);
	ck_assert_int_gt(program_direct(fd), 4096);
}
END_TEST

START_TEST(left_while_held_is_gone_when_released)
{
	/* Expects the file to have none of its own from then on. */
	int fd = begin_stream();
	struct direct *direct = direct_hold(record(fd), fd);

	direct_leave(record(fd));
	ck_assert_int_eq(fake.hidden, 1);
	direct_leave(record(fd));
	direct_release(direct);
	ck_assert_int_eq(fake.hidden, 0);
	expect_read(fd, 100000);
	ck_assert_int_eq(program_direct(fd), 4096);
}
END_TEST

START_TEST(child_of_fork_begins_anew)
{
	/* Expects the child to close its copy of the twin, use no memory of it, and read on. */
	int fd = begin_stream();

	fake_fork();
	expect_read(fd, 100000);
	expect_read(fd, 100000);
	ck_assert_int_eq(program_direct(fd), 100000);
	hidden();
	program_close(fd);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(child_of_fork_may_close_at_once)
{
	/* Expects nothing to be touched that is not there. */
	int fd = begin_stream();

	fake_fork();
	program_close(fd);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(parent_and_child_share_the_offset)
{
	/* Expects the child to read on where the parent, which it does not see, went. */
	int fd = begin_stream();

	fake_fork();
	expect_read(fd, 100000);
	fake.fd[fd]->offset = MIB + 5;
	expect_read(fd, 100000);
	expect_read(fd, 100000);
	ck_assert_int_eq(fake_offset(fd), MIB + 200005);
}
END_TEST

/* A twin by itself. */
static struct twin open_twin(int fd)
{
	struct twin twin;

	ck_assert(twin_open(&twin, record(fd), fd, O_RDONLY | O_DIRECT));
	return twin;
}

START_TEST(probe_sees_writers)
{
	/* Expects 0 without writers; EAGAIN beside one, or a mapping; EACCES for who does not own.
	 */
	int fd = begin(O_RDONLY), writer;
	struct twin twin = open_twin(fd);

	ck_assert_int_eq(twin_probe_writers(&twin), 0);
	ck_assert_int_eq(disk->leased, 0);
	writer = fake_open(disk, O_WRONLY);
	ck_assert_int_eq(twin_probe_writers(&twin), -EAGAIN);
	fake_close(writer);
	fake_map_for_writing(disk);
	ck_assert_int_eq(twin_probe_writers(&twin), -EAGAIN);
	fake_unmap_for_writing(disk);
	disk->uid = 7;
	fake.euid = 8;
	ck_assert_int_eq(twin_probe_writers(&twin), -EACCES);
}
END_TEST

static void open_while_leased(enum fake_call call)
{
	if (call != CALL_lease || !disk->leased)
		return;
	fake.before = NULL;
	fake_open_elsewhere(disk);
}

START_TEST(probe_takes_its_own_signal_back)
{
	/* Expects no handler of the program to run where an opener had to wait, and it to get in.
	 */
	int fd = begin(O_RDONLY);
	struct twin twin = open_twin(fd);

	fake.before = open_while_leased;
	twin_probe_writers(&twin);
	ck_assert_ptr_null(fake.before);
	ck_assert_uint_eq(fake.signals, 0);
	ck_assert(!fake_signal_pends());
	ck_assert(fake_is_written(disk));
	ck_assert_int_eq(twin_probe_writers(&twin), -EAGAIN);
}
END_TEST

static void send_urgent(enum fake_call call)
{
	if (call != CALL_lease)
		return;
	fake.before = NULL;
	fake_send_signal(SIGURG);
}

START_TEST(probe_leaves_the_programs_signal)
{
	/* Expects a SIGURG of the program's own to arrive after all. */
	int fd = begin(O_RDONLY);
	struct twin twin = open_twin(fd);

	fake.before = send_urgent;
	ck_assert_int_eq(twin_probe_writers(&twin), 0);
	ck_assert_uint_eq(fake.signals, 1);
	ck_assert(!fake_signal_pends());
}
END_TEST

START_TEST(probe_that_cannot_hold_the_signal_does_not_ask)
{
	/* Expects no lease where the signal could not be held back, or not be chosen. */
	int fd = begin(O_RDONLY);
	struct twin twin = open_twin(fd);

	fake_fault(CALL_signal, 1, 1, -EINVAL);
	ck_assert_int_lt(twin_probe_writers(&twin), 0);
	ck_assert_uint_eq(fake.calls[CALL_lease], 0);
	fake_fault(CALL_lease_signal, 1, 1, -EINVAL);
	ck_assert_int_lt(twin_probe_writers(&twin), 0);
	ck_assert_uint_eq(fake.calls[CALL_lease], 0);
}
END_TEST

START_TEST(block_is_a_page_at_least)
{
	/* Expects what statx(2) tells, no less than a page; 0 for none; a page on btrfs. */
	int fd = begin(O_RDONLY);
	struct fake_file *btrfs = fake_file("/data/b", SIZE);

	disk->direct_block = 512;
	ck_assert_int_eq(twin_block(fd, record(fd)->dev), PAGE);
	disk->direct_block = 16384;
	ck_assert_int_eq(twin_block(fd, record(fd)->dev), 16384);
	disk->direct_block = 0;
	ck_assert_int_eq(twin_block(fd, record(fd)->dev), 0);
	btrfs->fstype = 0x9123683e;
	btrfs->minor = 2;
	fd = program_open(btrfs, O_RDONLY);
	ck_assert_int_eq(twin_block(fd, record(fd)->dev), PAGE);
}
END_TEST

UNIT_MAIN("twin", twin_is_high_direct_and_hidden, twin_shares_noatime, no_high_number_means_no_twin,
	  twin_of_another_file_is_not_taken, twin_closed_unseen_is_opened_again,
	  number_taken_by_another_file_is_not_used, number_taken_by_the_same_file_is_not_closed,
	  number_taken_to_append_to_the_same_file_is_not_written_to,
	  number_taken_by_another_twin_stays_its, number_replaced_by_the_program_is_lost,
	  closing_a_range_loses_the_twins_in_it, file_with_locks_gets_no_twin,
	  unknown_locks_count_as_locks, twins_go_before_a_lock_is_taken,
	  twin_stays_while_there_are_locks, close_takes_the_twin_along,
	  close_in_the_middle_of_a_read_leaves_it_to_the_reader,
	  close_before_the_first_read_leaves_nothing, number_is_no_longer_hidden_when_it_is_free,
	  lock_in_the_middle_of_a_read_keeps_the_twin, held_file_is_nobody_elses,
	  left_while_held_is_gone_when_released, child_of_fork_begins_anew,
	  child_of_fork_may_close_at_once, parent_and_child_share_the_offset, probe_sees_writers,
	  probe_takes_its_own_signal_back, probe_leaves_the_programs_signal,
	  probe_that_cannot_hold_the_signal_does_not_ask, block_is_a_page_at_least)
