/* writer.c - changes blocks of the file `shared`, mostly such as the reader will come to next. */
#include "board.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* A mapping first touches some blocks, then changes just those, so that no store is the first into
 * its page; one that is given up again touches few. */
enum { AHEAD = 1500, TOUCHED = 512, AT_ONCE = 8, AT_ONCE_MAPPED = 10000, STORES = 16 };
enum { REWRITTEN = 64 };

static void must(int ok, const char *what)
{
	if (ok)
		return;
	dprintf(2, "writer: %s (errno %d, %s)\n", what, errno, strerror(errno));
	_exit(1);
}

static int is(const char *word, const char *other)
{
	return strcmp(word, other) == 0;
}

static uint32_t below(struct writer *w, uint32_t limit)
{
	w->random = w->random * 6364136223846793005 + 1442695040888963407;
	return (w->random >> 33) % limit;
}

/* Three of four are before the reader, where something that reads ahead may have been already. */
static uint32_t choose(struct writer *w)
{
	uint32_t at = w->board->position / BLOCK;

	if (w->map)
		return (w->first + below(w, w->span)) % BLOCKS;
	return below(w, 4) ? (at + below(w, AHEAD)) % BLOCKS : below(w, BLOCKS);
}

static void begin(struct writer *w, uint32_t first, uint32_t count)
{
	w->generation++;
	for (uint32_t i = first; i < first + count; i++)
		w->board->started[i] = w->generation;
}

static void publish(struct writer *w, uint32_t first, uint32_t count, uint32_t zero)
{
	for (uint32_t i = first; i < first + count; i++)
		w->board->published[i] = w->generation | zero;
	w->board->changes++;
}

static void compose(struct writer *w)
{
	for (uint32_t i = 0; i <= LAST_WORD; i++)
		w->block[i] = w->generation;
}

static void put(struct writer *w, int fd, uint32_t b)
{
	must(pwrite(fd, w->block, BLOCK, (off_t)b * BLOCK) == BLOCK, "pwrite");
}

static void by_write(struct writer *w, uint32_t b)
{
	begin(w, b, 1);
	compose(w);
	put(w, w->fd, b);
	publish(w, b, 1, 0);
}

/* Only the first store into a page moves the change time: the others are seen by nobody. */
static void by_map(struct writer *w, uint32_t b)
{
	for (int i = 0; i < STORES; i++) {
		volatile uint32_t *page = w->map + (size_t)b * BLOCK / 4;

		begin(w, b, 1);
		page[0] = w->generation;
		page[LAST_WORD] = w->generation;
		publish(w, b, 1, 0);
	}
}

static void by_punch(struct writer *w, uint32_t b)
{
	if (below(w, 2)) {
		by_write(w, b);
		return;
	}
	begin(w, b, 1);
	must(fallocate(w->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)b * BLOCK,
		       BLOCK) == 0,
	     "fallocate");
	publish(w, b, 1, ZERO);
}

static void by_copy(struct writer *w, uint32_t b)
{
	off_t from = (off_t)b * BLOCK, to = from;

	begin(w, b, 1);
	compose(w);
	put(w, w->side, b);
	must(copy_file_range(w->side, &from, w->fd, &to, BLOCK, 0) == BLOCK, "copy_file_range");
	publish(w, b, 1, 0);
}

static void by_clone(struct writer *w, uint32_t b)
{
	struct file_clone_range range = {
		.src_fd = w->side,
		.src_offset = (uint64_t)b * BLOCK,
		.src_length = BLOCK,
		.dest_offset = (uint64_t)b * BLOCK,
	};

	begin(w, b, 1);
	compose(w);
	put(w, w->side, b);
	must(ioctl(w->fd, FICLONERANGE, &range) == 0, "FICLONERANGE");
	publish(w, b, 1, 0);
}

static void resize(struct writer *w, uint64_t size)
{
	w->board->size_turn++;
	must(ftruncate(w->fd, size) == 0, "ftruncate");
	w->board->size = size;
	w->board->size_turn++;
}

/* Waits until the reader has read some more. */
static void let_read(struct writer *w, uint64_t bytes)
{
	uint64_t start = w->board->progress;

	while (!w->interleaved && !w->board->stop && w->board->progress - start < bytes)
		usleep(50);
}

/* After a close: half of the pauses last as long as the reader moves, half end at any moment, as in
 * the middle of a long request of the reader's. */
static void let_go(struct writer *w)
{
	if (below(w, 2))
		let_read(w, 1 << 20);
	else if (!w->interleaved)
		usleep(below(w, 3000));
}

/* Shrinks the file, or makes it whole again: zeros, and then some blocks after them. */
static void by_size(struct writer *w, uint32_t b)
{
	uint32_t now = w->board->size / BLOCK;

	if (now == BLOCKS) {
		begin(w, b, BLOCKS - b);
		resize(w, (uint64_t)b * BLOCK);
		w->board->changes++;
		let_read(w, BLOCK);
		return;
	}
	resize(w, SIZE);
	publish(w, now, BLOCKS - now, ZERO);
	for (int i = 0; i < REWRITTEN; i++)
		by_write(w, now + below(w, BLOCKS - now));
}

static const struct {
	const char *name;
	void (*change)(struct writer *w, uint32_t b);
	int flags;
} ways[] = {
	{"write", by_write, 0}, {"direct", by_write, O_DIRECT}, {"map", by_map, 0},
	{"shrink", by_size, 0}, {"punch", by_punch, 0},         {"copy", by_copy, 0},
	{"clone", by_clone, 0},
};

static int way(const struct writer *w)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (is(ways[i].name, w->how))
			return i;
	must(0, "no such way");
	return -1;
}

static void open_file(struct writer *w)
{
	if (w->fd >= 0 || w->map)
		return;
	w->fd = open("shared", O_RDWR | O_CLOEXEC | ways[way(w)].flags);
	must(w->fd >= 0, "open");
	if (!is(w->how, "map"))
		return;
	w->map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
	must(w->map != MAP_FAILED, "mmap");
	w->first = w->board->position / BLOCK;
	w->span = is(w->opening, "again") ? TOUCHED : BLOCKS;
	for (uint32_t i = 0; i < w->span; i++)
		by_map(w, (w->first + i) % BLOCKS);
}

static void close_file(struct writer *w)
{
	if (w->map)
		must(munmap(w->map, SIZE) == 0, "munmap");
	w->map = NULL;
	must(close(w->fd) == 0, "close");
	w->fd = -1;
}

/* What a file system may refuse is tried first, on a file that nobody reads. */
static int refused(struct writer *w)
{
	struct file_clone_range range = {.src_fd = w->side, .src_length = BLOCK};
	int fd = open("tried", O_RDWR | O_CREAT | O_CLOEXEC | ways[way(w)].flags, 0644);
	int no = fd < 0 || (is(w->how, "clone") && ioctl(fd, FICLONERANGE, &range) != 0) ||
		 (is(w->how, "punch") &&
		  fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, BLOCK) != 0);

	close(fd);
	return no;
}

void writer_prepare(struct writer *w)
{
	w->fd = -1;
	w->random = 1;
	must(posix_memalign((void **)&w->block, BLOCK, BLOCK) == 0, "memory");
	w->side = open("side", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	must(w->side >= 0, "open side");
	compose(w);
	put(w, w->side, 0);
	w->board->cannot = refused(w);
	if (is(w->opening, "held") || is(w->opening, "gone"))
		open_file(w);
	if (is(w->opening, "gone")) {
		must(close(w->fd) == 0, "close");
		w->fd = -1;
	}
	w->board->ready = 1;
}

void writer_step(struct writer *w)
{
	int again = is(w->opening, "again");
	int count = !again               ? 1
		    : !is(w->how, "map") ? AT_ONCE
		    : w->interleaved     ? TOUCHED
					 : AT_ONCE_MAPPED;

	if (is(w->opening, "late") && w->board->progress < SIZE / 4)
		return;
	open_file(w);
	for (int i = 0; i < count && !w->board->stop; i++)
		ways[way(w)].change(w, choose(w));
	if (again) {
		close_file(w);
		let_go(w);
	} else if (!is(w->how, "map")) {
		let_read(w, 1);
	}
}

void writer_run(struct writer *w)
{
	while (!w->board->stop && !w->board->cannot)
		writer_step(w);
}
