/* test_core_facts.c - what the core finds out: residency, file systems, /proc, the user's wishes.
 */
#include "bounce.h"
#include "fake_program.h"
#include "fsinfo.h"
#include "log.h"
#include "procfs.h"
#include "residency.h"
#include "text.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { FOREVER = 1 << 30 };

static struct fake_file *disk;

/* A file of 10 MiB with a hot MiB in it. */
static int hot_file(int flags)
{
	disk = fake_file("/data/x", 10 * MIB);
	fake_warm(disk, 3 * MIB, 4 * MIB);
	return fake_open(disk, flags);
}

static enum probe first(int fd, bool blind, int64_t *cached)
{
	return residency_first(fd, blind, disk->uid, disk->size, cached);
}

START_TEST(cachestat_is_asked_first)
{
	/* Expects its answer, by one call. */
	int fd = hot_file(O_RDONLY);
	int64_t cached;

	ck_assert_int_eq(first(fd, false, &cached), PROBE_CACHESTAT);
	ck_assert_int_eq(cached, MIB);
	ck_assert_uint_eq(fake_all_calls(), 1);
}
END_TEST

START_TEST(mincore_is_asked_by_who_may_trust_it)
{
	/* Expects mincore for root, the owner and who may write, and the unknown for others. */
	int fd = hot_file(O_RDONLY);
	int64_t cached;

	fake_fault(CALL_cachestat, 1, FOREVER, -ENOSYS);
	disk->uid = 1000;
	ck_assert_int_eq(first(fd, false, &cached), PROBE_MINCORE);
	ck_assert_int_eq(cached, MIB);
	fake.euid = 1000;
	ck_assert_int_eq(first(fd, false, &cached), PROBE_MINCORE);
	fake.euid = 1001;
	ck_assert_int_eq(first(fd, false, &cached), PROBE_NONE);
	ck_assert_int_eq(cached, RESIDENCY_UNKNOWN);
	fake.may_write = true;
	ck_assert_int_eq(first(fd, false, &cached), PROBE_MINCORE);
	ck_assert_int_eq(cached, MIB);
	ck_assert_int_eq(fake.maps, 0);
}
END_TEST

START_TEST(refused_cachestat_is_not_worked_around)
{
	/* Expects the unknown: mincore lies to whom cachestat refuses. */
	int fd = hot_file(O_RDONLY);
	int64_t cached;

	fake_fault(CALL_cachestat, 1, FOREVER, -EPERM);
	ck_assert_int_eq(first(fd, false, &cached), PROBE_NONE);
	ck_assert_int_eq(cached, RESIDENCY_UNKNOWN);
	ck_assert_uint_eq(fake.calls[CALL_mincore], 0);
}
END_TEST

START_TEST(residency_is_never_guessed)
{
	/* Expects the unknown where a call fails or the file is not open for reading. */
	int fd = hot_file(O_RDONLY), blind = fake_open(disk, O_WRONLY);

	ck_assert_int_eq(residency_bytes(PROBE_NONE, fd, 0, MIB), RESIDENCY_UNKNOWN);
	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, blind, 0, MIB), RESIDENCY_UNKNOWN);
	ck_assert_int_eq(residency_unwritten(PROBE_MINCORE, fd, 0, MIB), RESIDENCY_UNKNOWN);
	ck_assert_int_eq(residency_bytes(PROBE_CACHESTAT, 99, 0, MIB), RESIDENCY_UNKNOWN);
	fake_fault(CALL_mincore, 1, 1, -ENOMEM);
	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, fd, 0, MIB), RESIDENCY_UNKNOWN);
	fake_fault(CALL_map_file, 2, 1, -ENODEV);
	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, fd, 0, 10 * MIB), RESIDENCY_UNKNOWN);
	ck_assert_int_eq(fake.maps, 0);
}
END_TEST

START_TEST(empty_range_is_not_asked)
{
	/* Expects 0 for nothing, without a call. */
	int fd = hot_file(O_RDONLY);

	ck_assert_int_eq(residency_bytes(PROBE_CACHESTAT, fd, MIB, 0), 0);
	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, fd, MIB, -PAGE), 0);
	ck_assert_int_eq(residency_unwritten(PROBE_CACHESTAT, fd, MIB, 0), 0);
	ck_assert_uint_eq(fake_all_calls(), 0);
}
END_TEST

START_TEST(mincore_sums_up_its_pieces)
{
	/* Expects the same bytes whatever the range's place in the pieces. */
	int fd = hot_file(O_RDONLY);

	fake_warm(disk, 9 * MIB, 9 * MIB + PAGE);
	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, fd, 0, disk->size), MIB + PAGE);
	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, fd, 3 * MIB, MIB), MIB);
	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, fd, 3 * MIB + PAGE, 100), PAGE);
}
END_TEST

START_TEST(mincore_is_not_asked_without_end)
{
	/* Expects a range of no known end to be unknown, and no call: it would take hours. */
	int fd = fake_open(fake_file("/x", PAGE), O_RDWR);

	ck_assert_int_eq(residency_bytes(PROBE_MINCORE, fd, 0, INT64_MAX), RESIDENCY_UNKNOWN);
	ck_assert_int_eq(fake.calls[CALL_mincore], 0);
}
END_TEST

START_TEST(map_has_a_bit_a_page)
{
	/* Expects the bits of the cached pages, the rest clear, and no more than there is room. */
	int fd = hot_file(O_RDONLY);
	uint64_t bits[3] = {1, 2, 0x5a};

	ck_assert(residency_map(PROBE_CACHESTAT, fd, 4 * MIB - 65 * PAGE, MIB, bits, 2));
	ck_assert_uint_eq(bits[0], UINT64_MAX);
	ck_assert_uint_eq(bits[1], 1);
	ck_assert_uint_eq(bits[2], 0x5a);
	ck_assert(residency_map(PROBE_CACHESTAT, fd, 3 * MIB, MIB, bits, 2));
	ck_assert_uint_eq(bits[0] & bits[1], UINT64_MAX);
	ck_assert_uint_eq(bits[2], 0x5a);
	ck_assert(!residency_map(PROBE_NONE, fd, 0, MIB, bits, 2));
	ck_assert_uint_eq(bits[0] | bits[1], 0);
}
END_TEST

static int on(long fstype, uint32_t minor)
{
	struct fake_file *file = fake_file("/x", PAGE);

	file->fstype = fstype;
	file->minor = minor;
	return fake_open(file, O_RDONLY);
}

static uint64_t dev(uint32_t minor)
{
	return 8ULL << 32 | minor;
}

START_TEST(file_system_is_asked_once_a_device)
{
	/* Expects the kind of each, and one statfs for many files of a device. */
	ck_assert(fsinfo_of(on(0xef53, 1), dev(1)).storage);
	ck_assert(fsinfo_of(on(0xef53, 1), dev(1)).storage);
	ck_assert_uint_eq(fake.calls[CALL_fstype], 1);
	ck_assert(!fsinfo_of(on(0x01021994, 2), dev(2)).storage);
	ck_assert(fsinfo_of(on(0x9fa0, 3), dev(3)).kernel);
	ck_assert(fsinfo_of(on(0x794c7630, 4), dev(4)).cachestat_blind);
	ck_assert(fsinfo_of(on(0x794c7630, 4), dev(4)).storage);
	ck_assert(fsinfo_of(on(0x12345, 5), dev(5)).storage);
	ck_assert_str_eq(fsinfo_name(on(0x12345, 5), dev(5)), "unknown");
}
END_TEST

START_TEST(failed_question_is_asked_again)
{
	/* Expects what is told the second time, of each fact that is remembered for the process. */
	int fd = on(0x9fa0, 1);

	fake_fault(CALL_fstype, 1, 2, -EINTR);
	ck_assert_str_eq(fsinfo_name(fd, dev(1)), "unknown");
	ck_assert(fsinfo_of(fd, dev(1)).kernel);
	fake_text("/proc/self/mountinfo", "1 0 8:7 / / rw - fuse.sshfs host rw\n");
	fd = on(0x65735546, 7);
	fake_fault(CALL_openat, 1, 1, -EMFILE);
	ck_assert_str_eq(fsinfo_name(fd, dev(7)), "fuse");
	fake_fault(CALL_read, 1, 1, -ENOMEM);
	ck_assert_str_eq(fsinfo_name(fd, dev(7)), "fuse");
	ck_assert_str_eq(fsinfo_name(fd, dev(7)), "fuse.sshfs");
	fake_text("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
	fake_fault(CALL_openat, 1, 1, -ENFILE);
	ck_assert(!bounce_is_huge());
	fake_fault(CALL_read, 1, 1, -EINTR);
	ck_assert(!bounce_is_huge());
	ck_assert(bounce_is_huge());
}
END_TEST

START_TEST(more_devices_than_are_remembered)
{
	/* Expects the right facts of the hundredth device, too. */
	for (uint32_t i = 0; i < 60; i++) {
		bool memory = i % 2;
		int fd = on(memory ? 0x01021994 : 0x58465342, 100 + i);

		ck_assert_int_eq(fsinfo_of(fd, dev(100 + i)).storage, !memory);
		ck_assert_str_eq(fsinfo_name(fd, dev(100 + i)), memory ? "tmpfs" : "xfs");
	}
}
END_TEST

START_TEST(mountinfo_tells_relatives_apart)
{
	/* Expects the name of the device's line, however far down, and ext4 where there is none. */
	static char mounts[40000];
	struct text text = text_over(mounts, sizeof(mounts));

	for (int i = 0; i < 499; i++)
		text_string(&text, "1 0 9:1 / /a/long/mount/point rw shared:1 - ext4 /dev/a rw\n");
	text_string(&text, "2 1 8:7 / /with\\040blank rw - fuse.sshfs host rw\n3 1 8:8 / / rw -");
	text_end(&text);
	fake_text("/proc/self/mountinfo", mounts);
	fake_fault(CALL_read, 1, 1 << 30, 20);
	ck_assert_str_eq(fsinfo_name(on(0x65735546, 7), dev(7)), "fuse.sshfs");
	ck_assert_str_eq(fsinfo_name(on(0xef53, 8), dev(8)), "ext4");
	ck_assert_str_eq(fsinfo_name(on(0xef53, 9), dev(9)), "ext4");
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(figures_of_proc_files)
{
	/* Expects the number behind the word at a line's start, and -1 for what is not there. */
	fake_text("/proc/a", "xMemTotal: 1 kB\nMemTotalX: 2\nMemTotal:   \t 77 kB\npswpin 5\n");
	fake_text("/proc/max", "max\n");
	ck_assert_int_eq(procfs_number("/proc/a", "MemTotal"), 77);
	ck_assert_int_eq(procfs_number("/proc/a", "pswpin"), 5);
	ck_assert_int_eq(procfs_number("/proc/a", "kB"), -1);
	ck_assert_int_eq(procfs_number("/proc/none", "kB"), -1);
	ck_assert_int_eq(procfs_first_number("/proc/max"), -1);
	fake_text("/proc/big", "9223372036854775808");
	ck_assert_int_eq(procfs_first_number("/proc/big"), -1);
	ck_assert_int_eq(fake.hidden, 0);
}
END_TEST

START_TEST(memory_is_the_least_of_its_limits)
{
	/* Expects physical memory, or the memory cgroup's limit where that is less. */
	ck_assert_uint_eq(procfs_memory(), 0);
	fake_text("/proc/meminfo", "MemTotal: 1000 kB\n");
	ck_assert_uint_eq(procfs_memory(), 1024000);
	fake_text("/sys/fs/cgroup/memory.max", "4096000\n");
	ck_assert_uint_eq(procfs_memory(), 1024000);
	fake_text("/sys/fs/cgroup/memory.max", "4096\n");
	ck_assert_uint_eq(procfs_memory(), 4096);
}
END_TEST

/* Standard error, which keeps what is written to it. */
static struct fake_file *standard_error(void)
{
	struct fake_file *file = fake_text("/dev/stderr", "");

	fake.fd[2] = fake_description(file, O_WRONLY | O_APPEND);
	return file;
}

START_TEST(bad_wishes_are_said_once)
{
	/* Expects the place of each, and the good rules to hold. */
	struct fake_file *err = standard_error();
	int fd;

	program_begin("* dierct; * observe", "/dir/none");
	ck_assert_str_eq((char *)err->data,
			 "nocache: NOCACHE_RULES, rule 1, byte 3: unknown policy \"dierct\"\n");
	fd = program_open(fake_file("/x", PAGE), O_RDONLY);
	ck_assert_int_eq(file_policy(engine_file(fd)), POLICY_OBSERVE);
}
END_TEST

START_TEST(what_another_process_said_is_not_said_again)
{
	/* Expects silence about a marked setting, and the setting to be bad all the same. */
	struct environment environment = {.rules = {.value = "* dierct", .said = true}};
	struct fake_file *err = standard_error();

	engine_begin(&environment);
	ck_assert_int_eq(err->size, 0);
	ck_assert(environment.rules.bad);
}
END_TEST

UNIT_MAIN("core_facts", cachestat_is_asked_first, mincore_is_asked_by_who_may_trust_it,
	  refused_cachestat_is_not_worked_around, residency_is_never_guessed,
	  empty_range_is_not_asked, mincore_sums_up_its_pieces, mincore_is_not_asked_without_end,
	  map_has_a_bit_a_page, file_system_is_asked_once_a_device, failed_question_is_asked_again,
	  more_devices_than_are_remembered, mountinfo_tells_relatives_apart, figures_of_proc_files,
	  memory_is_the_least_of_its_limits, bad_wishes_are_said_once,
	  what_another_process_said_is_not_said_again)
