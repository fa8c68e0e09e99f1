/* fake_program.c - the wrappers' part of a program on the fake kernel. */
#include "fake_program.h"

#include "direct.h"
#include "dontcache.h"
#include "slices.h"
#include "unaligned.h"

#include <check.h>
#include <errno.h>
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

/* A refused direct request that can be served after all. */
static ssize_t served(struct file *file, int fd, enum unaligned direction, void *at, size_t n,
		      int64_t offset, ssize_t moved)
{
	struct iovec iov = {at, n};
	ssize_t again;

	if (moved != -EINVAL)
		return moved;
	again = unaligned_serve(file, fd, direction, &iov, 1, offset, 0);
	return again == FORWARD ? moved : again;
}

ssize_t program_read_into(int fd, void *to, size_t n, int64_t offset)
{
	struct file *file = engine_file(fd);
	struct iovec iov = {to, n};
	ssize_t moved = FORWARD;

	if (!file)
		return fake_read(fd, to, n, offset);
	if (direct_wants_read(file, n))
		moved = direct_read(file, fd, &iov, 1, offset);
	if (moved == FORWARD && slices_wanted(file, n))
		moved = slices_read(file, fd, to, n, offset);
	if (moved == FORWARD && dontcache_wants_read(file, n))
		moved = dontcache_read(file, fd, &iov, 1, offset, 0);
	if (moved != FORWARD)
		return moved;
	engine_reads(file, fd, offset, n);
	moved = served(file, fd, UNALIGNED_READ, to, n, offset, fake_read(fd, to, n, offset));
	return engine_did_read(file, fd, moved);
}

ssize_t program_write_from(int fd, const void *from, size_t n, int64_t offset)
{
	struct file *file = engine_file(fd);
	struct iovec iov = {(void *)from, n};
	ssize_t moved = FORWARD;

	if (!file)
		return fake_write(fd, from, n, offset);
	if (direct_wants_read(file, n))
		moved = direct_write(file, fd, from, n, offset);
	if (moved == FORWARD && slices_wanted(file, n))
		moved = slices_write(file, fd, from, n, offset);
	if (moved == FORWARD && dontcache_wants_write(file, n))
		moved = dontcache_write(file, fd, &iov, 1, offset, 0);
	if (moved != FORWARD)
		return moved;
	moved = served(file, fd, UNALIGNED_WRITE, (void *)from, n, offset,
		       fake_write(fd, from, n, offset));
	return engine_did_write(file, fd, offset < 0 ? -1 : offset + moved, moved);
}

ssize_t program_read(int fd, size_t n, int64_t offset)
{
	ck_assert_uint_le(n, BUFFER);
	return program_read_into(fd, buffer(), n, offset);
}

ssize_t program_write(int fd, size_t n, int64_t offset)
{
	ck_assert_uint_le(n, BUFFER);
	return program_write_from(fd, buffer(), n, offset);
}

struct fake_file *program_disk_file(const char *path, int64_t size)
{
	struct fake_file *file = fake_file(path, size);

	fake_store(file);
	file->direct_block = PAGE;
	fake.wall += 1000 * (int64_t)FAKE_TICK;
	return file;
}

int program_open_direct(struct fake_file *file, int flags)
{
	program_begin("* direct", NULL);
	return program_open(file, flags);
}

int64_t program_count(int fd, enum counter counter)
{
	const struct file *file = engine_file(fd);

	return file ? (int64_t)file_counted(file, counter) : -1;
}

int64_t program_direct(int fd)
{
	return program_count(fd, COUNT_direct);
}

void program_seek(int fd, int64_t offset)
{
	struct file *file = engine_file(fd);

	if (file)
		engine_seeks(file);
	fake.fd[fd]->offset = offset;
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
