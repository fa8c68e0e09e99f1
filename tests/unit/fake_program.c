/* fake_program.c - the wrappers' part of a program on the fake kernel. */
#include "fake_program.h"

#include "slices.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 20 << 20 };

void program_begin(const char *rules, const char *log)
{
	struct environment environment = {.rules.value = rules, .log.value = log, .prog = "unit"};

	engine_begin(&environment);
}

int program_open(struct fake_file *file, int flags)
{
	int fd = fake_open(file, flags);

	engine_opened(fd);
	if (flags & O_DIRECT)
		engine_opened_direct(fd, false);
	engine_file(fd);
	return fd;
}

int program_dup(int fd)
{
	int copy = fake_dup(fd);

	engine_duplicated(fd, copy);
	return copy;
}

void program_close(int fd)
{
	engine_closing(fd, false);
	fake_close(fd);
	engine_closed();
}

static char *buffer(void)
{
	static char *memory;

	if (!memory)
		memory = calloc(1, BUFFER);
	return memory;
}

ssize_t program_read(int fd, size_t n, int64_t offset)
{
	struct file *file = engine_file(fd);
	ssize_t moved;

	ck_assert_uint_le(n, BUFFER);
	if (!file)
		return fake_read(fd, buffer(), n, offset);
	if (slices_wanted(file, n) &&
	    (moved = slices_read(file, fd, buffer(), n, offset)) != SLICES_FORWARD)
		return moved;
	engine_reads(file, fd, offset, n);
	return engine_did_read(file, fd, fake_read(fd, buffer(), n, offset));
}

ssize_t program_write(int fd, size_t n, int64_t offset)
{
	struct file *file = engine_file(fd);
	ssize_t moved;

	ck_assert_uint_le(n, BUFFER);
	if (!file)
		return fake_write(fd, buffer(), n, offset);
	if (slices_wanted(file, n) &&
	    (moved = slices_write(file, fd, buffer(), n, offset)) != SLICES_FORWARD)
		return moved;
	moved = fake_write(fd, buffer(), n, offset);
	return engine_did_write(file, fd, offset < 0 ? -1 : offset + moved, moved);
}

void program_read_all(int fd, size_t n, int64_t from, int64_t to)
{
	fake.fd[fd]->offset = from;
	while (from < to && program_read(fd, (size_t)smaller((int64_t)n, to - from), -1) > 0)
		from += (int64_t)n;
}

void program_write_all(int fd, size_t n, int64_t from, int64_t to)
{
	fake.fd[fd]->offset = from;
	for (; from < to; from += (int64_t)n)
		program_write(fd, (size_t)smaller((int64_t)n, to - from), -1);
}

void program_read_file(struct fake_file *file, size_t n)
{
	int fd = program_open(file, O_RDONLY);

	program_read_all(fd, n, 0, file->size);
	program_close(fd);
}

enum reason program_reason(int fd)
{
	enum policy policy;
	enum reason reason;

	ck_assert(engine_status(fd, &policy, &reason));
	return reason;
}

void program_expect_bounded(const struct fake_file *file, int64_t bound)
{
	ck_assert_int_gt(file->own_peak, 0);
	ck_assert_int_le(file->own_peak, bound);
	ck_assert_int_eq(file->own, 0);
}

const char *program_log(const char *path)
{
	const struct fake_file *file = fake_find(path);

	return file ? (const char *)file->data : "";
}
