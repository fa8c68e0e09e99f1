/* fake_move.c - how bytes move on the fake kernel: through the page cache, or past it. */
#include "fake_sys.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { SCRIBBLE = 0xee, DIRECT_BLOCK = 512 };

static int64_t block_of(const struct fake_description *description)
{
	int64_t block = description->file->direct_block;

	return block ? block : DIRECT_BLOCK;
}

/* A read brings in its pages, and some ahead where it is sequential and not advised otherwise. */
static void cache(struct fake_description *description, int64_t at, int64_t end)
{
	struct fake_file *file = description->file;
	bool ahead = at == description->next && !description->random;
	int64_t marker = smaller(end + fake.readahead / 2, file->size - 1);

	if (ahead && !(file->pages[marker / PAGE] & CACHED))
		pages_bring_in(file, at, end + fake.readahead, 0);
	pages_bring_in(file, at, end, 0);
}

/* How much of [at, at + n) the device can read; -EIO where not even the first byte. */
static int64_t readable(const struct fake_file *file, int64_t at, int64_t n)
{
	if (file->bad_from >= file->bad_to || at >= file->bad_to || at + n <= file->bad_from)
		return n;
	return file->bad_from > at ? file->bad_from - at : -EIO;
}

static int64_t writable(const struct fake_file *file, int64_t at, int64_t n)
{
	if (!file->full_at || at + n <= file->full_at)
		return n;
	return file->full_at > at ? file->full_at - at : -ENOSPC;
}

/* How much of the memory is there. */
static int64_t there(const char *memory, int64_t n)
{
	if (!fake.bad_memory || memory >= fake.bad_memory + PAGE || memory + n <= fake.bad_memory)
		return n;
	return fake.bad_memory > memory ? fake.bad_memory - memory : -EFAULT;
}

/* What a direct transfer moves past its flaws: whole blocks; none of a first one is `error`. */
static int64_t direct_most(const struct fake_description *description, const char *memory,
			   int64_t n, int64_t device, int64_t error)
{
	long flaw = fake.direct_flaw ? fake.direct_flaw((size_t)n) : n;

	if (there(memory, n) < n)
		return -EFAULT;
	if (device < 0 || flaw < 0)
		return device < 0 ? device : flaw;
	if (device < n && device < block_of(description))
		return error;
	return align_down(smaller(device, smaller(n, flaw)), block_of(description));
}

/* Past the end of the file a direct read leaves what it likes in the rest of the block. */
static int64_t read_direct(struct fake_description *description, char *to, int64_t n, int64_t at)
{
	struct fake_file *file = description->file;
	int64_t moved = direct_most(description, to, n, readable(file, at, n), -EIO);

	if (moved < 0)
		return at < file->size ? moved : 0;
	moved = smaller(moved, larger(file->size - at, 0));
	if (file->stores) {
		memcpy(to, file->data + at, (size_t)moved);
		memset(to + moved, SCRIBBLE,
		       (size_t)(align_up(moved, block_of(description)) - moved));
	}
	return moved;
}

static int64_t read_cached(struct fake_description *description, char *to, int64_t n, int64_t at)
{
	struct fake_file *file = description->file;
	int64_t moved = smaller(n, larger(file->size - at, 0));

	if (moved)
		moved = readable(file, at, moved);
	if (moved > 0 && file->stores)
		moved = there(to, moved);
	if (moved <= 0)
		return moved;
	cache(description, at, at + moved);
	description->next = at + moved;
	if (file->stores)
		memcpy(to, file->data + at, (size_t)moved);
	return moved;
}

static int64_t write_to(struct fake_description *description, const char *from, int64_t n,
			int64_t at)
{
	struct fake_file *file = description->file;
	bool direct = description->flags & O_DIRECT;

	n = direct ? direct_most(description, from, n, writable(file, at, n), -ENOSPC)
		   : writable(file, at, n);
	if (n > 0 && file->stores && !direct)
		n = there(from, n);
	if (n <= 0)
		return n;
	file->size = larger(file->size, at + n);
	pages_reserve(file, file->size + 1);
	pages_fill(file, at, at + n);
	if (direct)
		pages_evict(file, at, at + n);
	else
		pages_bring_in(file, at, at + n, DIRTY);
	if (file->stores)
		memcpy(file->data + at, from, (size_t)n);
	fake_stamp(file);
	return n;
}

/* Moves `n` bytes to or from the file at `offset`, or (-1) where the description stands. */
ssize_t fake_move(struct fake_description *description, char *to, const char *from, size_t n,
		  int64_t offset)
{
	int64_t at = offset < 0 ? description->offset : offset, moved;
	int64_t block = block_of(description);

	if ((description->flags & O_ACCMODE) == (to ? O_WRONLY : O_RDONLY))
		return -EBADF;
	if (description->flags & O_DIRECT && (at % block || (int64_t)n % block))
		return -EINVAL;
	if (description->flags & O_DIRECT && description->file->direct_block &&
	    (uintptr_t)(to ? to : from) % DIRECT_BLOCK)
		return -EINVAL;
	if (from && description->flags & O_APPEND)
		at = description->file->size;
	if (from)
		moved = write_to(description, from, (int64_t)n, at);
	else if (description->flags & O_DIRECT)
		moved = read_direct(description, to, (int64_t)n, at);
	else
		moved = read_cached(description, to, (int64_t)n, at);
	if (offset < 0 && moved > 0)
		description->offset = at + moved;
	return moved;
}

ssize_t fake_read(int fd, void *buffer, size_t n, int64_t offset)
{
	return fake_move(fake.fd[fd], buffer, NULL, n, offset);
}

ssize_t fake_write(int fd, const void *buffer, size_t n, int64_t offset)
{
	return fake_move(fake.fd[fd], NULL, buffer, n, offset);
}
