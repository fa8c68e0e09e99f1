/* test_core_place.c - writing records: what cannot be written, and what the program must not feel.
 */
#include "fake_program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

static struct fake_file *err;
static uint64_t mask;

static void begin(char *destination)
{
	struct environment environment = {.log.value = destination, .prog = "unit"};

	err = fake_text("/dev/stderr", "");
	fake.fd[2] = fake_description(err, O_WRONLY | O_APPEND);
	engine_begin(&environment);
}

/* One file read and closed. */
static void use_a_file(void)
{
	int fd = program_open(fake_file("/data/x", 10000), O_RDONLY);

	program_read_all(fd, 4096, 0, 10000);
	program_close(fd);
}

START_TEST(part_of_a_record_is_taken_back)
{
	/* Expects the record before and the one after to stand next to each other. */
	const char *end;

	begin("/log");
	use_a_file();
	fake_fault(CALL_write, 1, 1, 100);
	use_a_file();
	use_a_file();
	end = strchr(program_log("/log"), '\n');
	ck_assert_int_eq(strncmp(end + 1, "v=1 type=file ", 14), 0);
	ck_assert_str_eq(strchr(end + 1, '\n'), "\n");
}
END_TEST

static void append_elsewhere(enum fake_call call)
{
	struct fake_file *log = fake_find("/log");
	int fd;

	if (call != CALL_stat || log->size != 100)
		return;
	fake.before = NULL;
	fd = fake_open(log, O_WRONLY | O_APPEND);
	fake_write(fd, "theirs\n", 7, -1);
	fake_close(fd);
}

START_TEST(record_behind_a_part_stays)
{
	/* Expects nothing to be taken back once somebody else has written behind it. */
	begin("/log");
	fake_fault(CALL_write, 1, 1, 100);
	fake.before = append_elsewhere;
	use_a_file();
	ck_assert_int_eq(fake_find("/log")->size, 107);
	ck_assert_str_eq(program_log("/log") + 100, "theirs\n");
}
END_TEST

static int answer;

static void send_with_write(enum fake_call call)
{
	if (call == CALL_write)
		fake_send_signal(answer);
}

/* A write that fails so sends the signal. */
static void fail_a_write(long error, int signal)
{
	answer = signal;
	fake.before = send_with_write;
	fake_fault(CALL_write, 1, 1, error);
	use_a_file();
	fake.before = NULL;
}

START_TEST(no_signal_of_a_write_is_felt)
{
	/* Expects neither SIGPIPE nor SIGXFSZ to reach the program, then or later. */
	begin("/log");
	fail_a_write(-EPIPE, SIGPIPE);
	ck_assert(!fake_signal_pends());
	fail_a_write(-EFBIG, SIGXFSZ);
	ck_assert(!fake_signal_pends());
	ck_assert_uint_eq(fake.signals, 0);
}
END_TEST

START_TEST(signal_that_waits_already_stays)
{
	/* Expects one that the program holds back to wait on. */
	begin("/log");
	sys_block_signal(SIGPIPE, &mask);
	fake_send_signal(SIGPIPE);
	fail_a_write(-EPIPE, SIGPIPE);
	ck_assert(fake_signal_pends());
}
END_TEST

START_TEST(complaint_sends_no_signal)
{
	/* Expects a closed pipe at standard error to cost the line and nothing else. */
	answer = SIGPIPE;
	fake.before = send_with_write;
	fake_fault(CALL_openat, 1, 1000, -EACCES);
	fake_fault(CALL_write, 1, 1, -EPIPE);
	begin("/none/log");
	ck_assert_uint_eq(fake.calls[CALL_write], 1);
	ck_assert_uint_eq(fake.signals, 0);
	ck_assert(!fake_signal_pends());
}
END_TEST

static char name[5000];

START_TEST(path_that_is_too_long_is_said)
{
	/* Expects no file of a shorter name instead, also where only the pid makes it too long. */
	memset(name, 'a', sizeof(name) - 1);
	name[0] = '/';
	begin(name);
	ck_assert_ptr_nonnull(strstr((const char *)err->data, "NOCACHE_LOG: cannot write /aaa"));
	ck_assert_uint_eq(fake.calls[CALL_write], 1);
	use_a_file();
	ck_assert_uint_eq(fake.calls[CALL_write], 1);
}
END_TEST

START_TEST(path_that_the_pid_makes_too_long_is_said)
{
	/* Expects the same. */
	memset(name, 'a', sizeof(name) - 1);
	name[0] = '/';
	memcpy(name + 4093, "%p", 3);
	begin(name);
	ck_assert_ptr_nonnull(strstr((const char *)err->data, "NOCACHE_LOG: cannot write /aaa"));
}
END_TEST

START_TEST(dropped_records_are_counted)
{
	/* Expects the process to count a file whose record could not be written. */
	begin("/log");
	fake_fault(CALL_write, 1, 1, -ENOSPC);
	use_a_file();
	use_a_file();
	engine_exit();
	ck_assert_ptr_nonnull(strstr(program_log("/log"), " files=2 read=20000 "));
	ck_assert_ptr_null(strstr(strstr(program_log("/log"), "type=file") + 1, "type=file"));
}
END_TEST

START_TEST(file_closed_behind_our_back_has_a_record)
{
	/* Expects what it moved, no path, and no guess at what only the kernel knows. */
	int fd;

	begin("/log");
	fd = program_open(fake_file("/data/x", 10000), O_RDONLY);
	program_read_all(fd, 4096, 0, 10000);
	fake_close(fd);
	ck_assert_int_eq(program_open(fake_file("/data/y", 10000), O_RDONLY), fd);
	ck_assert_ptr_nonnull(strstr(program_log("/log"), " path=- fs=ext4 mode=r "));
	ck_assert_ptr_nonnull(strstr(program_log("/log"), " reason=changed size=-1 read=10000 "));
	ck_assert_ptr_nonnull(
		strstr(program_log("/log"), " cached_after=-1 dirty_after=-1 peak=-1 "));
}
END_TEST

START_TEST(machine_without_proc_is_minus_one)
{
	/* Expects no figure made from one that could not be read. */
	begin("/log");
	engine_exit();
	ck_assert_ptr_nonnull(strstr(program_log("/log"),
				     " cached_before=-1 cached_after=-1 swap_in=-1 swap_out=-1 "));
}
END_TEST

UNIT_MAIN("place", part_of_a_record_is_taken_back, record_behind_a_part_stays,
	  no_signal_of_a_write_is_felt, signal_that_waits_already_stays, complaint_sends_no_signal,
	  path_that_is_too_long_is_said, path_that_the_pid_makes_too_long_is_said,
	  dropped_records_are_counted, file_closed_behind_our_back_has_a_record,
	  machine_without_proc_is_minus_one)
