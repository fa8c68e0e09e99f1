/* fake_pages.c - the files of the fake kernel and their page cache. */
#include "fake_sys.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct fake fake = {.pid = 100,
		    .ppid = 1,
		    .file_limit = UINT64_MAX,
		    .release = "6.18.1-fake",
		    .readahead = 128 * 1024};

void pages_reserve(struct fake_file *file, int64_t size)
{
	int64_t room = align_up(size, 4 * MIB);

	if (room <= file->room)
		return;
	file->pages = realloc(file->pages, (size_t)(room / PAGE));
	memset(file->pages + file->room / PAGE, 0, (size_t)((room - file->room) / PAGE));
	file->holes = realloc(file->holes, (size_t)(room / PAGE));
	memset(file->holes + file->room / PAGE, 1, (size_t)((room - file->room) / PAGE));
	if (file->stores) {
		file->data = realloc(file->data, (size_t)room);
		memset(file->data + file->room, 0, (size_t)(room - file->room));
	}
	file->room = room;
}

struct fake_file *fake_file(const char *path, int64_t size)
{
	struct fake_file *file = &fake.file[fake.files++];

	ck_assert_int_le(fake.files, FAKE_FILES);
	strncpy(file->path, path, sizeof(file->path) - 1);
	file->ino = 1000 + (uint64_t)fake.files;
	file->minor = 1;
	file->mode = S_IFREG | 0644;
	file->fstype = 0xef53;
	file->piece = file->folio = 0;
	file->size = size;
	pages_reserve(file, size + 1);
	pages_fill(file, 0, size);
	return file;
}

/* There is data in the range. */
void pages_fill(struct fake_file *file, int64_t from, int64_t to)
{
	for (int64_t i = from / PAGE; i * PAGE < to; i++)
		file->holes[i] = 0;
}

void fake_hole(struct fake_file *file, int64_t from, int64_t to)
{
	ck_assert_int_eq(from % PAGE, 0);
	for (int64_t i = from / PAGE; i * PAGE < to; i++)
		file->holes[i] = 1;
	if (file->stores)
		memset(file->data + from, 0, (size_t)(to - from));
}

bool fake_is_hole(const struct fake_file *file, int64_t at)
{
	return file->holes[at / PAGE];
}

/* The kernel stamps files with its clock as of the last tick. */
void fake_stamp(struct fake_file *file)
{
	file->changed = fake.wall - fake.wall % FAKE_TICK;
}

unsigned char fake_pattern(int64_t offset)
{
	return (unsigned char)(offset * 7 + offset / 4096 * 13 + 1);
}

void fake_store(struct fake_file *file)
{
	file->stores = true;
	file->data = calloc(1, (size_t)file->room);
	for (int64_t i = 0; i < file->size; i++)
		file->data[i] = fake_pattern(i);
}

struct fake_file *fake_text(const char *path, const char *text)
{
	struct fake_file *file = fake_find(path);

	if (!file)
		file = fake_file(path, 0);
	file->size = (int64_t)strlen(text);
	pages_reserve(file, file->size + 1);
	if (!file->stores)
		fake_store(file);
	memcpy(file->data, text, strlen(text));
	return file;
}

struct fake_file *fake_find(const char *path)
{
	for (int i = fake.files - 1; i >= 0; i--)
		if (!fake.file[i].unlinked && !strcmp(fake.file[i].path, path))
			return &fake.file[i];
	return NULL;
}

/* Changes the state of one page and keeps the sums. */
static void set_page(struct fake_file *file, int64_t page, int state)
{
	int old = file->pages[page];

	file->own += PAGE * (((state & (CACHED | THEIRS)) == CACHED) -
			     ((old & (CACHED | THEIRS)) == CACHED));
	file->dirty += PAGE * (!!(state & DIRTY) - !!(old & DIRTY));
	file->own_peak = larger(file->own_peak, file->own);
	file->dirty_peak = larger(file->dirty_peak, file->dirty);
	file->pages[page] = (unsigned char)state;
}

static int64_t last_page(const struct fake_file *file, int64_t to)
{
	return align_up(smaller(to, file->size), PAGE) / PAGE;
}

void pages_bring_in(struct fake_file *file, int64_t from, int64_t to, int bits)
{
	for (int64_t i = from / PAGE; i < last_page(file, to); i++)
		if (!(file->pages[i] & CACHED))
			set_page(file, i, CACHED | bits);
		else if (bits & DIRTY)
			set_page(file, i, file->pages[i] | DIRTY);
}

/* A direct write takes all of its range out of the cache. */
void pages_evict(struct fake_file *file, int64_t from, int64_t to)
{
	for (int64_t i = from / PAGE; i < last_page(file, to); i++) {
		file->evicted += file->pages[i] & (THEIRS | MAPPED) ? PAGE : 0;
		set_page(file, i, 0);
	}
}

void fake_truncate(struct fake_file *file, int64_t size)
{
	pages_reserve(file, size + 1);
	if (size < file->size) {
		pages_evict(file, align_up(size, PAGE), file->size);
		if (file->stores)
			memset(file->data + size, 0, (size_t)(file->size - size));
		fake_hole(file, align_up(size, PAGE), align_up(file->size, PAGE));
	}
	file->size = size;
	fake_stamp(file);
}

void fake_warm(struct fake_file *file, int64_t from, int64_t to)
{
	pages_bring_in(file, from, to, THEIRS);
}

/* mm/fadvise.c: pages that are partly outside of the range stay, but for the file's last. */
void pages_drop(struct fake_file *file, int64_t from, int64_t to)
{
	int64_t unit = file->folio ? file->folio : PAGE;
	int64_t end = to >= file->size ? align_up(file->size, unit) : align_down(to, unit);

	for (int64_t i = align_up(from, unit) / PAGE; !file->clings && i < end / PAGE; i++)
		if (i < last_page(file, end) && !(file->pages[i] & (DIRTY | UNDER_IO | MAPPED)))
			set_page(file, i, 0);
	pages_start_io(file, from, to);
}

void pages_end_io(struct fake_file *file)
{
	for (int64_t i = 0; i < last_page(file, INT64_MAX); i++)
		if (file->pages[i] & UNDER_IO)
			set_page(file, i, file->pages[i] & DROPS ? 0 : file->pages[i] & ~UNDER_IO);
}

/* The pages of the range that were not cached before go: what is dirty, when it is written out. */
void pages_drop_new(struct fake_file *file, int64_t from, int64_t to, const unsigned char *old)
{
	for (int64_t i = from / PAGE; i < last_page(file, to); i++)
		if (!(old[i] & CACHED))
			set_page(file, i, file->pages[i] & DIRTY ? file->pages[i] | DROPS : 0);
	pages_start_io(file, from, to);
}

void pages_start_io(struct fake_file *file, int64_t from, int64_t to)
{
	bool started = false;

	for (int64_t i = from / PAGE; i < last_page(file, to); i++) {
		if (!(file->pages[i] & DIRTY) || file->naps == NEVER)
			continue;
		set_page(file, i, (file->pages[i] & ~DIRTY) | UNDER_IO);
		started = true;
	}
	if (started)
		file->naps_left = file->naps;
	if (started && !file->naps)
		pages_end_io(file);
}

void pages_slept(void)
{
	for (int i = 0; i < fake.files; i++)
		if (fake.file[i].naps_left > 0 && !--fake.file[i].naps_left)
			pages_end_io(&fake.file[i]);
}

int64_t fake_bytes(const struct fake_file *file, int bits, int64_t from, int64_t to)
{
	int64_t bytes = 0;

	for (int64_t i = from / PAGE; i < last_page(file, to); i++)
		bytes += (file->pages[i] & bits) == bits ? PAGE : 0;
	return bytes;
}

struct fake_description *fake_description(struct fake_file *file, int flags)
{
	struct fake_description *description = calloc(1, sizeof(*description));

	description->file = file;
	description->flags = flags;
	return description;
}

int fake_number(struct fake_description *description, int least)
{
	int fd = least;

	while (fake.fd[fd])
		fd++;
	ck_assert_int_lt(fd, FAKE_FDS);
	fake.fd[fd] = description;
	description->refs++;
	fake.hidden += description->hidden;
	return fd;
}

int fake_open(struct fake_file *file, int flags)
{
	return fake_number(fake_description(file, flags), 3);
}

int fake_dup(int fd)
{
	return fake_number(fake.fd[fd], 3);
}

void fake_close(int fd)
{
	struct fake_description *description = fake.fd[fd];

	fake.fd[fd] = NULL;
	fake.hidden -= description->hidden;
	if (!--description->refs) {
		if (description->file->leased == fd)
			fake_end_lease(description->file);
		free(description);
	}
}

int64_t fake_offset(int fd)
{
	return fake.fd[fd]->offset;
}
