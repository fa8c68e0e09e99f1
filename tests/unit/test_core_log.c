/* test_core_log.c - where records go, and wishes that cannot be had. */
#include "fake_program.h"
#include "log.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct fake_file *err;
static char all[] = "* observe", a[] = "/a noreuse";

/* Starts with standard error kept in `err`. */
static void begin(struct environment environment)
{
	err = fake_text("/dev/stderr", "");
	fake.fd[2] = fake_description(err, O_WRONLY | O_APPEND);
	environment.prog = "unit";
	engine_begin(&environment);
}

/* One file read and closed. */
static void use_a_file(void)
{
	int fd = program_open(fake_file("/data/x", 10000), O_RDONLY);

	program_read_all(fd, 4096, 0, 10000);
	program_close(fd);
}

static void expect_said(const char *line)
{
	ck_assert_str_eq((const char *)err->data, line);
}

START_TEST(log_file_is_private_and_appended_to)
{
	/* Expects O_APPEND, 0600, no link followed, and nothing held open. */
	const struct fake_file *log;
	int step;

	begin((struct environment){.log.value = "/log"});
	log = fake_find("/log");
	ck_assert_uint_eq(log->mode, S_IFREG | 0600);
	step = fake_step_of(CALL_openat, log);
	ck_assert_int_eq(fake.step[step].advice & (O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY),
			 O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	ck_assert_int_eq(log->size, 0);
	use_a_file();
	use_a_file();
	ck_assert_int_eq(fake.hidden, 0);
	ck_assert_uint_eq(fake.calls[CALL_write], 2);
	ck_assert_ptr_nonnull(strstr(program_log("/log"), "path=/data/x fs=ext4 mode=r "));
}
END_TEST

START_TEST(relative_log_lies_where_the_program_began)
{
	/* Expects the working directory of the start, and the pid for %p. */
	begin((struct environment){.log.value = "logs/%p.%d"});
	ck_assert_ptr_nonnull(fake_find("/start/logs/100.%d"));
}
END_TEST

START_TEST(json_records)
{
	/* Expects an object a line. */
	begin((struct environment){.log.value = "/log", .log_format.value = "json"});
	use_a_file();
	ck_assert(program_log("/log")[0] == '{');
	expect_said("");
}
END_TEST

START_TEST(unknown_format_is_said)
{
	/* Expects text all the same. */
	begin((struct environment){.log.value = "/log", .log_format.value = "xml"});
	use_a_file();
	ck_assert(program_log("/log")[0] == 'v');
	expect_said("nocache: NOCACHE_LOG_FORMAT: unknown format xml\n");
}
END_TEST

START_TEST(log_that_cannot_be_written_is_said)
{
	/* Expects one line, and the program to run on. */
	fake_fault(CALL_openat, 1, 1000, -EACCES);
	begin((struct environment){.log.value = "/none/log"});
	expect_said("nocache: NOCACHE_LOG: cannot write /none/log\n");
	use_a_file();
	ck_assert_ptr_null(fake_find("/none/log"));
}
END_TEST

START_TEST(record_that_cannot_be_written_is_dropped)
{
	/* Expects a full disk to cost a record and nothing else. */
	begin((struct environment){.log.value = "/log"});
	fake_fault(CALL_write, 1, 1, -ENOSPC);
	use_a_file();
	ck_assert_str_eq(program_log("/log"), "");
	use_a_file();
	ck_assert_ptr_nonnull(strstr(program_log("/log"), "type=file"));
	ck_assert_int_eq(fake.hidden, 0);
	expect_said("");
}
END_TEST

START_TEST(records_on_standard_error)
{
	/* Expects them there while it is what it was, and nowhere once it is a file of the program.
	 */
	struct fake_file *own = fake_text("/own", "");
	int64_t size;

	begin((struct environment){.log.value = "stderr"});
	use_a_file();
	size = err->size;
	ck_assert_int_gt(size, 0);
	fake.fd[2]->file = own;
	use_a_file();
	fake.fd[2]->file = err;
	err->ino++;
	use_a_file();
	ck_assert_int_eq(own->size, 0);
	ck_assert_int_eq(err->size, size);
}
END_TEST

START_TEST(unlinked_file_has_its_name)
{
	/* Expects the kernel's " (deleted)" not to be a part of the path. */
	struct fake_file *file = fake_file("/data/y (deleted)", 100);

	begin((struct environment){.log.value = "/log"});
	program_close(program_open(file, O_RDWR));
	ck_assert_ptr_nonnull(strstr(program_log("/log"), " path=/data/y fs=ext4 mode=rw "));
}
END_TEST

START_TEST(unknown_residency_is_minus_one)
{
	/* Expects no guess in any figure of the cache. */
	fake_fault(CALL_cachestat, 1, 1 << 30, -EPERM);
	begin((struct environment){.log.value = "/log", .rules.value = all});
	use_a_file();
	ck_assert_ptr_nonnull(strstr(program_log("/log"), " reason=keep-unknown "));
	ck_assert_ptr_nonnull(
		strstr(program_log("/log"),
		       " cached_before=-1 cached_after=-1 dirty_after=-1 peak=-1 dropped=0 "));
}
END_TEST

START_TEST(figures_of_the_cache_are_the_kernels)
{
	/* Expects what was cached before, between and after, and what was released. */
	struct fake_file *file = fake_file("/data/z", 100 * PAGE);
	const char *peak;
	int fd;

	fake_warm(file, 0, 10 * PAGE);
	begin((struct environment){.log.value = "/log"});
	fd = program_open(file, O_RDONLY);
	program_read_all(fd, PAGE, 0, file->size);
	program_close(fd);
	ck_assert_ptr_nonnull(strstr(program_log("/log"),
				     " cached_before=40960 cached_after=40960 dirty_after=0 "));
	ck_assert_ptr_nonnull(strstr(program_log("/log"), " dropped=368640 "));
	peak = strstr(program_log("/log"), " peak=");
	ck_assert_int_ge(atol(peak + 6), 256 * KIB);
	ck_assert_int_le(atol(peak + 6), file->size);
}
END_TEST

START_TEST(program_that_used_no_file_has_a_record)
{
	/* Expects the process's record, with the machine's figures from its start on. */
	fake_text("/proc/meminfo", "Cached: 100 kB\n");
	fake_text("/proc/vmstat", "pswpin 10\npswpout 20\n");
	begin((struct environment){.log.value = "/log"});
	fake_text("/proc/meminfo", "Cached: 300 kB\n");
	fake_text("/proc/vmstat", "pswpin 11\npswpout 22\n");
	fake.steady = 2500000000;
	engine_exit();
	ck_assert_ptr_nonnull(strstr(program_log("/log"),
				     " files=0 read=0 written=0 direct=0 bounced=0 dropped=0 "
				     "cached_before=102400 cached_after=307200 "
				     "swap_in=4096 swap_out=8192 secs=2.500000\n"));
}
END_TEST

static enum policy policy_now(void)
{
	int fd = program_open(fake_file("/data/x", PAGE), O_RDONLY);
	struct file *file = engine_file(fd);

	return file ? file_policy(file) : POLICY_OFF;
}

START_TEST(rules_file_comes_second)
{
	/* Expects the rules of the environment to be looked at first, comments to be skipped. */
	fake_text("/rules", "# all\n* observe # the rest\n");
	begin((struct environment){.rules.value = a, .rules_file.value = "/rules"});
	ck_assert_int_eq(policy_now(), POLICY_OBSERVE);
	ck_assert_str_eq(config.rules.rule[0].pattern, "/a");
	ck_assert_int_eq(fake.hidden, 0);
	expect_said("");
}
END_TEST

START_TEST(rules_file_that_is_not_there_is_said)
{
	/* Expects all files to be left alone: no rule was given. */
	begin((struct environment){.rules_file.value = "/none"});
	expect_said("nocache: NOCACHE_RULES_FILE: cannot read /none\n");
	ck_assert_int_eq(policy_now(), POLICY_OFF);
}
END_TEST

START_TEST(rules_file_that_fails_midway_is_said)
{
	/* Expects what was read to hold, in short pieces, and the rest to be named. */
	fake_text("/rules", "* observe\n* noreuse\n");
	fake_fault(CALL_read, 1, 1, 10);
	fake_fault(CALL_read, 2, 1, -EIO);
	begin((struct environment){.rules_file.value = "/rules"});
	ck_assert_int_eq(config.rules.count, 1);
	expect_said("nocache: NOCACHE_RULES_FILE: cannot read all of /rules\n");
}
END_TEST

START_TEST(rules_file_without_memory_is_said)
{
	/* Expects the start to go on where there is no room to read it into. */
	fake_text("/rules", "* observe\n");
	fake_fault(CALL_map, 2, 1, -ENOMEM);
	begin((struct environment){.rules_file.value = "/rules"});
	expect_said("nocache: NOCACHE_RULES_FILE: cannot read /rules\n");
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

UNIT_MAIN("core_log", log_file_is_private_and_appended_to,
	  relative_log_lies_where_the_program_began, json_records, unknown_format_is_said,
	  log_that_cannot_be_written_is_said, record_that_cannot_be_written_is_dropped,
	  records_on_standard_error, unlinked_file_has_its_name, unknown_residency_is_minus_one,
	  figures_of_the_cache_are_the_kernels, program_that_used_no_file_has_a_record,
	  rules_file_comes_second, rules_file_that_is_not_there_is_said,
	  rules_file_that_fails_midway_is_said, rules_file_without_memory_is_said)
