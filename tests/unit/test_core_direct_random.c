/*
 * test_core_direct_random.c - random programs under policy `direct` against the kernel alone: the
 * same calls on two files, one by the engine and one without it, must give the same.
 */
#include "fake_program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum {
	SEEDS = 300,
	ALL_SEEDS = 1500,
	STEPS = 60,
	MOST = 3 << 19,
	FILE_MOST = 3 << 20,
	PAIRS = 3,
	CANARY = 0x5a
};

/* What a program may meet with besides its own calls. */
enum { OTHERS = 1, TROUBLE = 2, OWN_DIRECT = 4, LOCKS = 8 };

/* One description, of the file under the engine and of the file without. */
static struct pair {
	int fd, plain; /* 0 for none */
	int flags;
} pairs[PAIRS];

static struct fake_file *file, *model, *other;
static char *bytes, *expected;
static unsigned long seed;
static uint64_t dice;
static int step, manner, writer, model_writer;
static const char *doing;

static int64_t rolled(int64_t sides)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int64_t)((dice >> 24) % (uint64_t)sides);
}

static void differ(const char *what, int64_t is, int64_t should)
{
	ck_abort_msg("seed %lu, manner %d, step %d, %s: %s is %ld, not %ld", seed, manner, step,
		     doing, what, (long)is, (long)should);
}

static void expect_same(const char *what, int64_t is, int64_t should)
{
	if (is != should)
		differ(what, is, should);
}

static int64_t some_length(void)
{
	static const int64_t most[] = {10, 5000, 70000, 300000, MOST};

	return rolled(3) ? 1 + rolled(most[rolled(5)]) : PAGE * (1 + rolled(MOST / PAGE));
}

static int64_t some_offset(void)
{
	int64_t at = rolled(file->size + 20000);

	return rolled(2) ? at : align_down(at, PAGE);
}

/* Memory at any alignment; sometimes it ends where there is none. */
static int64_t some_place(int64_t n)
{
	if (manner & TROUBLE && !rolled(10))
		return MOST - rolled(n + 1);
	return smaller(rolled(3) ? rolled(5000) : 0, MOST - n);
}

static void expect_state(const struct pair *pair)
{
	expect_same("offset", fake_offset(pair->fd), fake_offset(pair->plain));
	expect_same("size", file->size, model->size);
}

static void compare_files(void)
{
	expect_same("content", memcmp(file->data, model->data, (size_t)model->size), 0);
}

static void read_both(struct pair *pair, int64_t offset)
{
	int64_t n = some_length(), place = some_place(n), should, room = smaller(n, MOST - place);

	memset(bytes + place, CANARY, (size_t)room);
	memset(expected + place, CANARY, (size_t)room);
	fake.bad_memory = expected + MOST;
	should = fake_read(pair->plain, expected + place, (size_t)n, offset);
	fake.bad_memory = bytes + MOST;
	expect_same("result", program_read_into(pair->fd, bytes + place, (size_t)n, offset),
		    should);
	if (pair->flags & O_DIRECT)
		room = should;
	if (room > 0)
		expect_same("buffer",
			    memcmp(bytes + place, expected + place, (size_t)smaller(n, room)), 0);
}

static void write_both(struct pair *pair, int64_t offset)
{
	int64_t n = some_length(), place, should;

	n = smaller(n, FILE_MOST - (offset < 0 ? fake_offset(pair->fd) : offset));
	if (n <= 0)
		return;
	place = some_place(n);
	for (int64_t i = place; i < smaller(place + n, MOST); i += 61)
		bytes[i] = expected[i] = (char)rolled(256);
	memcpy(expected + place, bytes + place, (size_t)smaller(n, MOST - place));
	fake.bad_memory = expected + MOST;
	should = fake_write(pair->plain, expected + place, (size_t)n, offset);
	fake.bad_memory = bytes + MOST;
	expect_same("result", program_write_from(pair->fd, bytes + place, (size_t)n, offset),
		    should);
	compare_files();
}

static void open_pair(struct pair *pair)
{
	static const int modes[] = {O_RDONLY, O_RDONLY, O_RDONLY, O_RDWR, O_WRONLY};
	int mode = modes[rolled(5)] | (rolled(8) ? 0 : O_APPEND);

	pair->flags = mode | (manner & OWN_DIRECT && rolled(2) ? O_DIRECT : 0);
	pair->fd = program_open(file, pair->flags);
	pair->plain = fake_open(model, mode);
}

static void close_pair(struct pair *pair)
{
	program_close(pair->fd);
	fake_close(pair->plain);
	pair->fd = 0;
}

static void write_elsewhere(void)
{
	char byte = (char)rolled(256);
	int64_t at = rolled(file->size + 100);

	if (!writer) {
		writer = fake_open(file, O_WRONLY);
		model_writer = fake_open(model, O_WRONLY);
	}
	for (int i = 0; i < 3; i++, at += rolled(30000)) {
		if (at >= FILE_MOST)
			break;
		fake_write(writer, &byte, 1, at);
		fake_write(model_writer, &byte, 1, at);
	}
	if (!rolled(2)) {
		fake_close(writer);
		fake_close(model_writer);
		writer = 0;
	}
}

static void truncate_both(void)
{
	int64_t size = rolled(FILE_MOST);

	if (!rolled(2))
		size = smaller(FILE_MOST, file->size + rolled(10000));
	fake_truncate(file, size);
	fake_truncate(model, size);
}

/* Whoever shares the description moves it: nobody tells the engine. */
static void move_unseen(const struct pair *pair)
{
	int64_t to = some_offset();

	fake.fd[pair->fd]->offset = fake.fd[pair->plain]->offset = to;
}

/* Raw calls close what the shim holds, and may put something else there. */
static void take_numbers(void)
{
	for (int fd = FAKE_HIGH; fd < FAKE_FDS; fd++) {
		if (!fake.fd[fd] || !fake.fd[fd]->hidden)
			continue;
		fake_close(fd);
		if (!rolled(3))
			fake_number(fake_description(other, O_RDWR | O_DIRECT), fd);
		else if (!rolled(3))
			fake_number(
				fake_description(file, rolled(2) ? O_RDONLY : O_WRONLY | O_APPEND),
				fd);
	}
}

static void others_act(const struct pair *pair)
{
	switch (rolled(7)) {
	case 0:
	case 1:
		doing = "write elsewhere";
		write_elsewhere();
		break;
	case 2:
		doing = "truncate";
		truncate_both();
		break;
	case 3:
		doing = "move unseen";
		move_unseen(pair);
		break;
	case 4:
		doing = "take numbers";
		take_numbers();
		break;
	case 5:
		doing = "warm";
		fake_warm(file, rolled(file->size + 1), rolled(file->size + 1));
		break;
	default:
		fake.wall += rolled(3) * FAKE_TICK;
	}
}

/* Calls that only the shim makes fail. */
static void make_trouble(void)
{
	static const enum fake_call calls[] = {
		CALL_openat,       CALL_duplicate, CALL_direct_block, CALL_lease,
		CALL_lease_signal, CALL_lock_on,   CALL_signal,       CALL_aio_setup,
		CALL_aio_submit,   CALL_aio_read,  CALL_map,          CALL_madvise,
		CALL_cachestat,    CALL_getflags,  CALL_stat,         CALL_fstype,
		CALL_file_limit,
	};
	static const long errors[] = {-EIO, -EINVAL, -ENOMEM, -EAGAIN};
	size_t i = (size_t)rolled(sizeof(calls) / sizeof(calls[0]));

	fake_forget_faults();
	fake_fault(calls[i], 1 + (int)rolled(4), 1 + (int)rolled(3), errors[rolled(4)]);
}

static long flaw(size_t n)
{
	if (!(manner & TROUBLE) || rolled(12))
		return (long)n;
	return rolled(2) ? (long)rolled((int64_t)n) : -EIO;
}

/* A place that the device cannot read: from the start, for what was read before is good. */
static void spoil(void)
{
	file->bad_from = model->bad_from = rolled(file->size + 1);
	file->bad_to = model->bad_to = file->bad_from + rolled(2) * 9000;
}

static void fill_disk(void)
{
	file->full_at = model->full_at = rolled(2) ? 0 : 1 + rolled(FILE_MOST);
}

static void lock(const struct pair *pair)
{
	engine_locks(pair->fd);
	file->locked = true;
}

static void environment_acts(const struct pair *pair)
{
	doing = "others";
	if (manner & OTHERS && rolled(2))
		others_act(pair);
	else if (manner & TROUBLE && rolled(2))
		make_trouble();
	else if (manner & TROUBLE)
		fill_disk();
	else if (manner & LOCKS && !rolled(8))
		lock(pair);
}

static void program_acts(struct pair *pair)
{
	switch (rolled(20)) {
	case 0:
	case 1:
		doing = "seek";
		program_seek(pair->fd, some_offset());
		fake.fd[pair->plain]->offset = fake_offset(pair->fd);
		break;
	case 2:
		doing = "reopen";
		close_pair(pair);
		open_pair(pair);
		break;
	case 3:
		doing = "fork";
		if (!rolled(4))
			fake_fork();
		break;
	case 4:
	case 5:
	case 6:
		doing = "pread";
		read_both(pair, some_offset());
		break;
	case 7:
	case 8:
		doing = "pwrite";
		write_both(pair, some_offset());
		break;
	case 9:
	case 10:
		doing = "write";
		write_both(pair, -1);
		break;
	default:
		doing = "read";
		read_both(pair, -1);
	}
}

static void clear(void)
{
	fake_forget_faults();
	file->locked = false;
	file->bad_from = model->bad_from = file->bad_to = model->bad_to = 0;
	file->full_at = model->full_at = 0;
}

static void finish(void)
{
	for (int i = 0; i < PAIRS; i++)
		close_pair(&pairs[i]);
	if (writer) {
		fake_close(writer);
		fake_close(model_writer);
	}
	writer = 0;
	if (!(manner & (LOCKS | TROUBLE)))
		expect_same("hidden descriptors", fake.hidden, 0);
	for (int fd = FAKE_HIGH; fd < FAKE_FDS; fd++)
		if (fake.fd[fd])
			fake_close(fd);
	compare_files();
	clear();
	engine_closing_range(0, ~0U);
}

static void run(void)
{
	int64_t size = 60000 + rolled(FILE_MOST - 100000);

	dice = seed;
	fake.wall += 10 * (int64_t)FAKE_TICK;
	fake_truncate(file, size);
	fake_truncate(model, size);
	memcpy(model->data, file->data, (size_t)size);
	file->changed = fake.wall - 5 * (int64_t)FAKE_TICK;
	pages_evict(file, 0, size);
	if (manner & TROUBLE)
		spoil();
	fake.aio_late = rolled(2);
	fake.aio_in_order = rolled(2);
	for (int i = 0; i < PAIRS; i++)
		open_pair(&pairs[i]);
	for (step = 0; step < STEPS; step++) {
		struct pair *pair = &pairs[rolled(3) ? 0 : rolled(PAIRS)];

		if (!rolled(4))
			environment_acts(pair);
		program_acts(pair);
		expect_state(pair);
	}
	finish();
}

static void make_context(void)
{
	struct fake_file *large = fake_file("/data/large", 300 * MIB);
	int fd;

	large->direct_block = PAGE;
	fd = program_open(large, O_RDONLY);
	program_read_into(fd, bytes, 100 * KIB, -1);
	program_read_into(fd, bytes, 100 * KIB, -1);
	program_close(fd);
}

static void begin(void)
{
	file = program_disk_file("/data/file", FILE_MOST);
	model = program_disk_file("/data/model", FILE_MOST);
	other = program_disk_file("/data/other", FILE_MOST);
	memset(other->data, 'o', FILE_MOST);
	expected = fake_memory(MOST);
	bytes = fake_memory(MOST);
	fake.direct_flaw = flaw;
	program_begin("* direct,block=256K,depth=3", NULL);
}

/* As many as there is time for: make check-all has more. */
static unsigned long seeds(void)
{
	const char *scope = getenv("SCOPE");

	return scope && !strcmp(scope, "all") ? ALL_SEEDS : SEEDS;
}

static void run_all(int manners)
{
	manner = manners;
	for (seed = 1; seed <= seeds(); seed++) {
		if (seed % 50 == 0 && !(manner & OWN_DIRECT))
			make_context();
		run();
		fake.steps = 0;
	}
	ck_assert_uint_gt(fake.calls[CALL_lease], SEEDS / 2);
}

START_TEST(alone_it_is_as_without)
{
	/* Expects each call's result, bytes, offset and file to be those of the kernel. */
	begin();
	run_all(0);
}
END_TEST

START_TEST(beside_others_it_is_as_without)
{
	/* Expects the same beside writers, movers and takers of numbers between the calls. */
	begin();
	run_all(OTHERS);
}
END_TEST

START_TEST(in_trouble_it_is_as_without)
{
	/* Expects the same where calls of the shim fail, and the kernel's own errors. */
	begin();
	run_all(TROUBLE);
}
END_TEST

START_TEST(with_everything_it_is_as_without)
{
	/* Expects the same of all of it at once, with locks that no close of ours may drop. */
	begin();
	run_all(OTHERS | TROUBLE | LOCKS);
}
END_TEST

START_TEST(own_direct_requests_are_as_if_plain)
{
	/* Expects a program's own O_DIRECT to be served whatever its requests. */
	begin();
	run_all(OWN_DIRECT);
}
END_TEST

UNIT_MAIN("direct_random", alone_it_is_as_without, beside_others_it_is_as_without,
	  in_trouble_it_is_as_without, with_everything_it_is_as_without,
	  own_direct_requests_are_as_if_plain)
