/* test_core_relaxed.c - a relaxed file that another thread comes to. */
#include "fake_program.h"
#include "unit.h"

#include <fcntl.h>
#include <pthread.h>

enum { TINY = 1000, TIMES = 8 };

static char memory[MIB];
static int fd;

static void reads_tiny(void)
{
	ssize_t n = relaxed_read(engine_file(fd), fd, memory, TINY);

	if (n == FORWARD)
		n = program_read_into(fd, memory, TINY, -1);
	ck_assert_int_eq(n, TINY);
}

static void *settles(void *unused)
{
	ck_assert_int_eq(relaxed_settle(engine_file(fd), fd), 0);
	return unused;
}

/* What it held of the file, its twins and buffers, it gives back as the first thread would have. */
START_TEST(settled_by_another_thread_the_file_stays_direct)
{
	struct fake_file *disk = program_disk_file("/data/x", 8 * MIB);
	pthread_t other;
	int64_t before;

	program_begin("* direct,relaxed", NULL);
	fd = program_open(disk, O_RDONLY);
	for (int i = 0; i < TIMES; i++)
		reads_tiny();
	ck_assert_int_lt(fake_offset(fd), TIMES * TINY);
	ck_assert_int_eq(pthread_create(&other, NULL, settles, NULL), 0);
	ck_assert_int_eq(pthread_join(other, NULL), 0);
	ck_assert_int_eq(fake_offset(fd), TIMES * TINY);
	before = program_direct(fd);
	ck_assert_int_eq(program_read_into(fd, memory, MIB, -1), MIB);
	ck_assert_int_eq(program_direct(fd), before + MIB);
}
END_TEST

UNIT_MAIN("relaxed", settled_by_another_thread_the_file_stays_direct)
