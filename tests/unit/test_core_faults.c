/*
 * test_core_faults.c - whatever call of the shim's fails, a program sees what it would have seen
 * without it: see fake_sweep.h.
 *
 * A transfer that stands for the program's own may fail or be cut short; then the program is told,
 * nothing else has happened, and it asks again for the rest. No other fault may be noticed.
 */
#include "direct.h"
#include "fake_program.h"
#include "fake_sweep.h"
#include "pipeline.h"
#include "relaxed.h"
#include "unit.h"
#include "writeback.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 0x55, ROOM = 12 << 20 };

static struct fake_file *disk;
static unsigned char model[ROOM]; /* what the file must hold, zeros behind it */
static int64_t size, position;
static int fd;
static char *memory;
static bool refused; /* the last call */

static void set_size(int64_t to)
{
	ck_assert_int_le(to, ROOM);
	if (to < size)
		memset(model + to, 0, (size_t)(size - to));
	size = to;
}

static void begin_file(int64_t n)
{
	disk = program_disk_file("/data/x", n);
	memory = malloc(ROOM);
	set_size(n);
	for (int64_t i = 0; i < n; i++)
		model[i] = fake_pattern(i);
}

static void begin(const char *rules, int flags)
{
	program_begin(rules, "/log");
	fd = program_open(disk, flags);
	position = 0;
}

/*
 * How far a call came: all the way, or as far as the kernel was made to say. What it refuses of
 * odd requests by O_DIRECT it refuses without the library, too.
 */
static int64_t moved(int64_t result, int64_t wanted)
{
	long told = sweep_told();

	refused = result == -EINVAL && fake.fd[fd]->flags & O_DIRECT;
	if (result == wanted || refused)
		return larger(result, 0);
	ck_assert_msg(told, "%ld of %ld without an error", (long)result, (long)wanted);
	ck_assert_msg(result == told || (result > 0 && result < wanted), "%ld for %ld",
		      (long)result, told);
	return larger(result, 0);
}

/* In relaxed files the kernel's offset stands still. */
static bool is_relaxed(void)
{
	struct file *file = engine_file(fd);

	return file && relaxed_concerns(file);
}

static void move_on(int64_t n, int64_t offset)
{
	if (offset < 0)
		position += n;
	if (!is_relaxed())
		ck_assert_int_eq(fake_offset(fd), position);
}

static int64_t read_once(int64_t n, int64_t offset)
{
	ssize_t result = FORWARD;

	if (offset < 0 && is_relaxed())
		result = relaxed_read(engine_file(fd), fd, memory, (size_t)n);
	return result == FORWARD ? program_read_into(fd, memory, (size_t)n, offset) : result;
}

static int64_t write_once(int64_t n, int64_t offset)
{
	ssize_t result = FORWARD;

	if (offset < 0 && is_relaxed())
		result = relaxed_write(engine_file(fd), fd, memory, (size_t)n);
	return result == FORWARD ? program_write_from(fd, memory, (size_t)n, offset) : result;
}

/* One read: its result, its bytes, none beyond them, and the offset. */
static void reads(int64_t n, int64_t offset)
{
	int64_t at = offset < 0 ? position : offset, got;
	int64_t wanted = smaller(n, larger(size - at, 0));

	sweep_step();
	memset(memory, CANARY, (size_t)n + PAGE);
	got = moved(read_once(n, offset), wanted);
	ck_assert_int_eq(memcmp(memory, model + at, (size_t)got), 0);
	for (int64_t i = got; i < n + PAGE; i++)
		UNIT_HOLDS(memory[i] == CANARY);
	move_on(got, offset);
	if (got < wanted && !refused)
		reads(n - got, offset < 0 ? -1 : offset + got);
}

/* What has been written, and no more of it, is in the file when the call returns. */
static void expect_written(void)
{
	if (is_relaxed())
		return;
	ck_assert_int_eq(disk->size, size);
	ck_assert_int_eq(memcmp(disk->data, model, (size_t)size), 0);
}

static void writes(int64_t n, int64_t offset)
{
	static unsigned char next;
	int64_t at = offset < 0 ? position : offset, put;

	sweep_step();
	for (int64_t i = 0; i < n; i++)
		memory[i] = (char)(next += 7);
	put = moved(write_once(n, offset), n);
	if (put)
		set_size(larger(size, at + put));
	memcpy(model + at, memory, (size_t)put);
	move_on(put, offset);
	expect_written();
	if (put < n && !refused)
		writes(n - put, offset < 0 ? -1 : offset + put);
}

static void seeks(int64_t offset)
{
	sweep_step();
	engine_settle(fd);
	program_seek(fd, offset);
	position = offset;
}

/* fsync(2): what a wait of ours was refused is none of its errors. */
static void syncs(void)
{
	struct file *file = engine_file(fd);
	int error;

	engine_settle(fd);
	error = file ? writeback_error(file) : 0;
	ck_assert_int_ne(error, -EPERM);
	ck_assert_int_ne(error, -EINTR);
	ck_assert_int_ne(error, -ENOSYS);
}

/* Closed, and the process ended: the file is as the program left it. */
static void ends(void)
{
	if (fake.fd[fd] && is_relaxed()) {
		sweep_step();
		engine_settle(fd);
		ck_assert_int_eq(fake_offset(fd), position);
		if (!sweep_told())
			ck_assert_int_eq(memcmp(disk->data, model, (size_t)size), 0);
	}
	program_close(fd);
	engine_exit();
	if (!sweep_told()) {
		ck_assert_int_eq(disk->size, size);
		ck_assert_int_eq(memcmp(disk->data, model, (size_t)size), 0);
	}
}

static void reads_all(int64_t n)
{
	while (position < size)
		reads(n, -1);
	reads(n, -1);
}

static void program_direct_reads(void)
{
	begin("* direct,block=256K", O_RDONLY);
	reads_all(100000);
	seeks(5);
	reads(600 * KIB, -1);
	reads(700 * KIB, 100 * KIB + 1);
	reads(100, 7);
	ends();
}

static void program_direct_writes(void)
{
	begin("* direct,block=256K", O_RDWR);
	writes(1300 * KIB, 50);
	seeks(1000);
	writes(900 * KIB + 1, -1);
	writes(700 * KIB, -1);
	reads(600 * KIB, 4000);
	syncs();
	ends();
}

static void program_streams(void)
{
	begin("* dontneed,window=512K", O_RDWR);
	fake_warm(disk, MIB, MIB + 64 * KIB);
	reads_all(200 * KIB);
	seeks(0);
	for (int i = 0; i < 12; i++)
		writes(250 * KIB, -1);
	syncs();
	ends();
}

/* Where the cache cannot be asked about, a wait is fdatasync(2). */
static void program_overlay(void)
{
	disk->fstype = 0x794c7630;
	disk->blind = true;
	begin("* dontneed,window=512K", O_RDWR);
	for (int i = 0; i < 12; i++)
		writes(250 * KIB, -1);
	syncs();
	ends();
}

static void program_slices(void)
{
	begin("* dontneed", O_RDWR);
	reads(7 * MIB, -1);
	seeks(5);
	writes(5 * MIB, -1);
	writes(3 * MIB, 2 * MIB + 100);
	reads(5 * MIB, 11);
	syncs();
	ends();
}

static void program_dontcache(void)
{
	begin("* dontcache", O_RDWR);
	reads(2 * MIB, -1);
	reads(3 * MIB, -1);
	seeks(5 * MIB);
	for (int i = 0; i < 5; i++)
		writes(MIB, -1);
	writes(3 * MIB, 0);
	syncs();
	ends();
}

static void program_unaligned(void)
{
	begin(NULL, O_RDWR | O_DIRECT);
	for (int i = 0; i < 5; i++)
		reads(1000, -1);
	for (int i = 0; i < 5; i++)
		writes(1000, -1);
	reads(777, 3);
	writes(777, 99999);
	ends();
}

static void program_relaxed_reads(void)
{
	begin("* direct,relaxed,block=128K", O_RDONLY);
	reads_all(3000);
	seeks(1);
	reads_all(1000);
	ends();
}

static void program_relaxed_writes(void)
{
	begin("* direct,relaxed,block=512K", O_RDWR);
	for (int i = 0; i < 300; i++)
		writes(3000, -1);
	seeks(3);
	for (int i = 0; i < 40; i++)
		writes(100, -1);
	syncs();
	ends();
}

/* The child goes on where its parent was. */
static void program_child_of_fork(void)
{
	begin("* direct,block=256K", O_RDWR);
	reads(300 * KIB, -1);
	reads(300 * KIB, -1);
	fake_fork();
	engine_may_change();
	reads(300 * KIB, -1);
	writes(600 * KIB, -1);
	ends();
}

/* Conditions and a log ask about everything; what is closed is settled later. */
static void program_small_files(void)
{
	program_begin("x1 mode=w fs=ext4 size>=10K dontneed; /data/* fs=e* size<1%ram auto",
		      "/log");
	for (int i = 0; i < 10; i++) {
		disk = fake_text("/data/other", "");
		snprintf(disk->path, sizeof(disk->path), "/data/x%d", i);
		position = 0;
		set_size(0);
		fd = program_open(disk, O_RDWR);
		writes(70 * KIB, -1);
		writes(70 * KIB, -1);
		seeks(0);
		reads_all(64 * KIB);
		program_close(fd);
	}
	fd = program_open(disk, O_RDONLY);
	position = 0;
	reads_all(64 * KIB);
	ends();
}

static void program_exec(void)
{
	begin("* dontneed,window=512K", O_RDWR);
	for (int i = 0; i < 5; i++)
		writes(200 * KIB, -1);
	engine_exec();
	engine_exec_failed();
	writes(200 * KIB, -1);
	ends();
}

/* copy_file_range(2): what is not copied by the shim is the kernel's. */
static void program_copy(void)
{
	struct fake_file *from = program_disk_file("/data/from", 3 * MIB + 100);
	struct direct_end in = {.at = 0}, out = {.at = 0};
	int64_t copied;

	fake_hole(from, MIB, 2 * MIB);
	memset(from->data + MIB, 0, (size_t)MIB);
	begin("* direct,block=512K", O_RDWR);
	in.fd = program_open(from, O_RDONLY);
	in.file = engine_file(in.fd);
	out.fd = fd;
	out.file = engine_file(fd);
	sweep_step();
	copied = direct_copy(&in, &out, from->size);
	ck_assert_int_ge(copied, 0);
	ck_assert_int_eq(in.at, copied);
	ck_assert_int_eq(out.at, copied);
	ck_assert_int_eq(disk->size, copied);
	ck_assert_int_eq(memcmp(disk->data, from->data, (size_t)copied), 0);
	set_size(copied);
	memcpy(model, disk->data, (size_t)copied);
	program_close(in.fd);
	sweep_step();
	ends();
}

/* What the pipeline has is right, or is not had; what flies into memory keeps it (fake_async.c). */
static void program_pipeline(void)
{
	struct treatment treatment = {.block = 256 * KIB, .depth = 3};
	struct pipeline pipeline;
	const char *data;

	fake.aio_late = true;
	for (int round = 0; round < 2; round++) {
		if (!pipeline_begin(&pipeline, &treatment, INFLIGHT_WORTH))
			continue;
		pipeline.fd = fake_open(disk, O_RDONLY | O_DIRECT);
		pipeline.align = PAGE;
		pipeline_start(&pipeline, 0, 1, size);
		for (int64_t at = 0, n; at < size; at += n) {
			n = pipeline_at(&pipeline, at, &data);
			if (n > 0)
				ck_assert_int_eq(memcmp(data, model + at, (size_t)n), 0);
			n = n > 0 ? n : PAGE;
		}
		pipeline_end(&pipeline);
		fake_close(pipeline.fd);
	}
}

/* On a file of `bytes`. */
#define SWEEP(name, bytes, least)                                                                  \
	START_TEST(name)                                                                           \
	{                                                                                          \
		begin_file(bytes);                                                                 \
		sweep(program_##name, least);                                                      \
	}                                                                                          \
	END_TEST

SWEEP(direct_reads, 1500 * KIB + 123, 50)
SWEEP(direct_writes, 100, 50)
SWEEP(streams, 2 * MIB + 77, 50)
SWEEP(overlay, 0, 30)
SWEEP(slices, 5 * MIB + 3, 50)
SWEEP(dontcache, 5 * MIB + 3, 50)
SWEEP(unaligned, 100000, 50)
SWEEP(relaxed_reads, 400 * KIB + 1, 50)
SWEEP(relaxed_writes, 10, 50)
SWEEP(child_of_fork, 1500 * KIB, 50)
SWEEP(small_files, 0, 40)
SWEEP(exec, 0, 30)
SWEEP(copy, 0, 30)
SWEEP(pipeline, 2 * MIB, 20)

UNIT_MAIN("faults", direct_reads, direct_writes, streams, overlay, slices, dontcache, unaligned,
	  relaxed_reads, relaxed_writes, child_of_fork, small_files, exec, copy, pipeline)
