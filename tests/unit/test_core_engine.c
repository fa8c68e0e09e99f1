/* test_core_engine.c - rules and facts become a policy and a reason. */
#include "fake_program.h"
#include "fsinfo.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>

enum { FOREVER = 1 << 30, EXT4 = 0xef53, TMPFS = 0x01021994, PROC = 0x9fa0, XFS = 0x58465342 };

static struct fake_file *file_on(long fstype, const char *path)
{
	struct fake_file *file = fake_file(path, 100000);

	file->fstype = fstype;
	file->minor = (uint32_t)fstype % 1000;
	return file;
}

static void expect(int fd, enum policy policy, enum reason reason)
{
	enum policy is_policy;
	enum reason is_reason;

	ck_assert(engine_status(fd, &is_policy, &is_reason));
	ck_assert_str_eq(policy_name(is_policy), policy_name(policy));
	ck_assert_str_eq(reason_word(is_reason), reason_word(reason));
}

static void expect_file(struct fake_file *file, int flags, enum policy policy, enum reason reason)
{
	expect(program_open(file, flags), policy, reason);
}

/* What is done, and why, for a rule on a disk and on a tmpfs. */
#define CHOICE(name, rule, on_disk, why, on_tmpfs, why_there)                                      \
	START_TEST(name)                                                                           \
	{                                                                                          \
		program_begin("* " rule, NULL);                                                    \
		expect_file(file_on(EXT4, "/x"), O_RDWR, POLICY_##on_disk, REASON_##why);          \
		expect_file(file_on(TMPFS, "/y"), O_RDWR, POLICY_##on_tmpfs, REASON_##why_there);  \
	}                                                                                          \
	END_TEST

CHOICE(auto_streams_on_storage, "auto", DONTNEED, AUTO, OFF, NO_STORAGE)
CHOICE(direct_is_had_on_storage, "direct", DIRECT, NONE, OFF, NO_STORAGE)
CHOICE(dontcache_is_had_on_storage, "dontcache", DONTCACHE, NONE, OFF, NO_STORAGE)
CHOICE(dontneed_is_had_on_storage, "dontneed", DONTNEED, NONE, OFF, NO_STORAGE)
CHOICE(noreuse_is_had_on_storage, "noreuse", NOREUSE, NONE, OFF, NO_STORAGE)
CHOICE(dsync_is_had_everywhere, "dsync", DSYNC, NONE, DSYNC, NONE)
CHOICE(buffered_is_had_everywhere, "buffered", BUFFERED, NONE, BUFFERED, NONE)
CHOICE(observe_is_had_everywhere, "observe", OBSERVE, NONE, OBSERVE, NONE)
CHOICE(passive_where_all_is_off, "off", OFF, PASSIVE, OFF, PASSIVE)

START_TEST(off_leaves_no_record)
{
	/* Expects a file whose rule is off, or that has none, to be left alone from then on. */
	int off, none;

	program_begin("/off off; /on auto", "/log");
	off = program_open(file_on(EXT4, "/off"), O_RDONLY);
	none = program_open(file_on(EXT4, "/other"), O_RDONLY);
	ck_assert_uint_eq(fdtab_get(off), FD_ALONE);
	ck_assert_uint_eq(fdtab_get(none), FD_ALONE);
	expect(off, POLICY_OFF, REASON_NONE);
	expect(none, POLICY_OFF, REASON_NO_RULE);
}
END_TEST

START_TEST(what_is_no_file_is_left_alone)
{
	/* Expects pipes, sockets, terminals, directories and /proc to have no record. */
	static const uint32_t kinds[] = {S_IFIFO, S_IFSOCK, S_IFCHR, S_IFDIR};
	int fd;

	program_begin(NULL, "/log");
	for (int i = 0; i < 4; i++) {
		struct fake_file *file = file_on(EXT4, "/x");

		file->mode = kinds[i];
		fd = program_open(file, O_RDONLY);
		ck_assert_uint_eq(fdtab_get(fd), FD_ALONE);
		expect(fd, POLICY_OFF, REASON_NOT_A_FILE);
	}
	fd = program_open(file_on(PROC, "/proc/cpuinfo"), O_RDONLY);
	ck_assert_uint_eq(fdtab_get(fd), FD_ALONE);
}
END_TEST

START_TEST(block_device_is_storage)
{
	/* Expects a block device to be streamed although its node lies on a tmpfs. */
	struct fake_file *disk = file_on(TMPFS, "/dev/sdx");

	disk->mode = S_IFBLK | 0600;
	program_begin(NULL, NULL);
	expect_file(disk, O_RDWR, POLICY_DONTNEED, REASON_AUTO);
}
END_TEST

START_TEST(mode_reaches_the_right_file)
{
	/* Expects the first rule whose mode is how the file was opened. */
	struct fake_file *file = file_on(EXT4, "/x");

	program_begin("* mode=r noreuse; * mode=w dsync; * mode=rw observe", NULL);
	expect_file(file, O_RDONLY, POLICY_NOREUSE, REASON_NONE);
	expect_file(file, O_WRONLY | O_APPEND, POLICY_DSYNC, REASON_NONE);
	expect_file(file, O_RDWR, POLICY_OBSERVE, REASON_NONE);
}
END_TEST

START_TEST(size_reaches_the_right_file)
{
	/* Expects both sides of the line, and of a percentage of the memory. */
	struct fake_file *file = file_on(EXT4, "/x");

	fake_text("/proc/meminfo", "MemFree: 7 kB\nMemTotal:      1000 kB\n");
	program_begin("* size<4K noreuse; * size>=10%ram observe; * dsync", NULL);
	file->size = 4095;
	expect_file(file, O_RDONLY, POLICY_NOREUSE, REASON_NONE);
	file->size = 4096;
	expect_file(file, O_RDONLY, POLICY_DSYNC, REASON_NONE);
	file->size = 102399;
	expect_file(file, O_RDONLY, POLICY_DSYNC, REASON_NONE);
	file->size = 102400;
	expect_file(file, O_RDONLY, POLICY_OBSERVE, REASON_NONE);
}
END_TEST

START_TEST(file_system_reaches_the_right_file)
{
	/* Expects its name as in /proc/filesystems, out of mountinfo where the number is shared. */
	struct fake_file *old = file_on(EXT4, "/old/x");

	fake_text("/proc/self/mountinfo", "1 0 8:9 / / rw - xfs /dev/a rw\n"
					  "2 1 8:267 / /old rw shared:1 - ext3 /dev/b rw\n");
	ck_assert_uint_eq(old->minor, 267);
	program_begin("* fs=ext3 noreuse; * fs=x* observe; * dsync", NULL);
	expect_file(old, O_RDONLY, POLICY_NOREUSE, REASON_NONE);
	expect_file(file_on(XFS, "/x"), O_RDONLY, POLICY_OBSERVE, REASON_NONE);
	expect_file(file_on(TMPFS, "/t"), O_RDONLY, POLICY_DSYNC, REASON_NONE);
}
END_TEST

START_TEST(program_and_path_reach_the_right_file)
{
	/* Expects the program's name, and absolute paths. */
	program_begin("* prog=cp observe; a/*.iso prog=un?t noreuse; /b/** dsync", NULL);
	expect_file(file_on(EXT4, "/start/a/x.iso"), O_RDONLY, POLICY_NOREUSE, REASON_NONE);
	expect_file(file_on(EXT4, "/a/x.iso"), O_RDONLY, POLICY_OFF, REASON_NO_RULE);
	expect_file(file_on(EXT4, "/b/c/d"), O_RDONLY, POLICY_DSYNC, REASON_NONE);
}
END_TEST

START_TEST(file_without_a_path_matches_no_path)
{
	/* Expects a rule for all files to hold all the same where readlink fails. */
	int fd;

	fake_fault(CALL_readlink, 1, 1, -ENOENT);
	program_begin("/data/** observe; * noreuse", NULL);
	fd = program_open(file_on(EXT4, "/data/x"), O_RDONLY);
	expect(fd, POLICY_NOREUSE, REASON_NONE);
}
END_TEST

START_TEST(passive_engine_makes_no_system_call)
{
	/* Expects none before the start, with nothing to do, and from a sandbox on. */
	struct fake_file *file = file_on(EXT4, "/x");
	int fd = program_open(file, O_RDWR);
	unsigned long calls;

	program_read_all(fd, 4096, 0, file->size);
	program_close(fd);
	engine_exit();
	ck_assert_uint_eq(fake_all_calls(), 0);
	program_begin(NULL, NULL);
	fd = program_open(file, O_RDWR);
	program_write(fd, 4096, -1);
	engine_passive(true);
	calls = fake_all_calls();
	program_read_all(fd, 4096, 0, file->size);
	program_dup(fd);
	engine_locks(fd);
	engine_child();
	engine_unmapped(UNIT);
	program_close(fd);
	engine_closing_range(0, 100);
	engine_exec();
	engine_exec_failed();
	engine_exit();
	ck_assert_uint_eq(fake_all_calls(), calls);
	expect(program_open(file, O_RDONLY), POLICY_OFF, REASON_PASSIVE);
}
END_TEST

START_TEST(nothing_to_do_makes_no_call_a_file)
{
	/* Expects `* off` to cost nothing once it is read. */
	unsigned long calls;

	program_begin("* off; /x auto", NULL);
	calls = fake_all_calls();
	program_close(program_open(file_on(EXT4, "/x"), O_RDWR));
	ck_assert_uint_eq(fake_all_calls(), calls);
}
END_TEST

START_TEST(no_memory_leaves_files_alone)
{
	/* Expects no record, no crash and the program's own bytes where nothing can be mapped. */
	struct fake_file *file = file_on(EXT4, "/x");
	int fd;

	program_begin(NULL, NULL);
	fake_fault(CALL_map, 1, FOREVER, -ENOMEM);
	fd = program_open(file, O_RDONLY);
	ck_assert_ptr_null(engine_file(fd));
	ck_assert_int_eq(program_read(fd, 4096, -1), 4096);
	program_close(fd);
	engine_exit();
	ck_assert_uint_eq(fake.calls[CALL_advise], 0);
}
END_TEST

START_TEST(refused_statx_leaves_the_file_unknown)
{
	/* Expects nothing to be done, and another try at the next call. */
	int fd;

	program_begin("* dontneed", NULL);
	fake_fault(CALL_stat, 1, 2, -ENOSYS);
	fd = program_open(file_on(EXT4, "/x"), O_RDONLY);
	ck_assert_ptr_null(engine_file(fd));
	ck_assert_uint_eq(fdtab_get(fd), FD_OPENED);
	expect(fd, POLICY_DONTNEED, REASON_NONE);
	ck_assert(!engine_status(99, &(enum policy){0}, &(enum reason){0}));
}
END_TEST

START_TEST(buffered_takes_direct_away)
{
	/* Expects O_DIRECT to go from the descriptor, and to be remembered for F_GETFL. */
	int fd;

	program_begin("* buffered", NULL);
	fd = program_open(file_on(EXT4, "/x"), O_RDWR | O_DIRECT | O_APPEND);
	ck_assert_int_eq(fake.fd[fd]->flags, O_RDWR | O_APPEND);
	ck_assert(engine_file(fd)->hides_direct);
	ck_assert(config.all_buffered);
}
END_TEST

START_TEST(options_of_the_rule_are_the_records)
{
	/* Expects the window to be the rule's, and a stream to keep to it. */
	struct fake_file *file = file_on(EXT4, "/x");
	int fd;

	file->size = 60 * MIB;
	pages_reserve(file, file->size + 1);
	program_begin("* dontneed,window=2M", NULL);
	fd = program_open(file, O_RDONLY);
	ck_assert_uint_eq(file_treatment(engine_file(fd))->window, 2 * MIB);
	program_read_all(fd, 64 * KIB, 0, file->size);
	ck_assert_int_le(file->own_peak, 4 * MIB);
	program_close(fd);
	ck_assert_int_eq(file->own, 0);
}
END_TEST

UNIT_MAIN("core_engine", auto_streams_on_storage, direct_is_had_on_storage,
	  dontcache_is_had_on_storage, dontneed_is_had_on_storage, noreuse_is_had_on_storage,
	  dsync_is_had_everywhere, buffered_is_had_everywhere, observe_is_had_everywhere,
	  passive_where_all_is_off, off_leaves_no_record, what_is_no_file_is_left_alone,
	  block_device_is_storage, mode_reaches_the_right_file, size_reaches_the_right_file,
	  file_system_reaches_the_right_file, program_and_path_reach_the_right_file,
	  file_without_a_path_matches_no_path, passive_engine_makes_no_system_call,
	  nothing_to_do_makes_no_call_a_file, no_memory_leaves_files_alone,
	  refused_statx_leaves_the_file_unknown, buffered_takes_direct_away,
	  options_of_the_rule_are_the_records)
