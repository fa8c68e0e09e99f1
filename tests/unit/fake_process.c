/* fake_process.c - faults, and what the fake kernel does for a process: memory, clocks, fork. */
#include "fake_sys.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* madvise(2), of Linux 5.14. */
enum { PAGE_OUT = 21, POPULATE_READ = 22, POPULATE_WRITE = 23 };

enum { FAULTS = 8, VIEWS = 1024, KEPT = 64 };

static struct fault {
	enum fake_call call;
	unsigned long first, last;
	long result;
} faults[FAULTS];
static int fault_count;

static struct view {
	char *at;
	struct fake_file *file;
	int64_t offset;
	size_t length;
} views[VIEWS];

/* Memory that a child does not get. */
static struct kept {
	char *at;
	size_t length;
} kept[KEPT];

static char *wiped_on_fork;
static size_t wiped_length;

/* What fake_begin() found: the fake_result of a call that is not done, the fake_most that one may
 * move. */
long fake_result;
size_t fake_most;

void fake_fault(enum fake_call call, int nth, int times, long outcome)
{
	unsigned long first = fake.calls[call] + (unsigned long)nth;

	ck_assert_int_lt(fault_count, FAULTS);
	faults[fault_count++] =
		(struct fault){call, first, first + (unsigned long)times - 1, outcome};
}

void fake_forget_faults(void)
{
	fault_count = 0;
}

/* Whether one of the faults hits this call, with `fake_result`. */
static bool is_hit(enum fake_call call, const struct fake_description *on)
{
	for (int i = 0; i < fault_count; i++) {
		if (faults[i].call != call || fake.calls[call] < faults[i].first ||
		    fake.calls[call] > faults[i].last)
			continue;
		fake_result = faults[i].result;
		return true;
	}
	return fake.fails && fake.fails(call, on, &fake_result);
}

static bool begin(enum fake_call call, const struct fake_description *on)
{
	if (fake.before)
		fake.before(call);
	fake.calls[call]++;
	fake_most = SIZE_MAX;
	if (!is_hit(call, on))
		return true;
	fake_most = (size_t)larger(fake_result, 0);
	return fake_result >= 0;
}

/* Counts a call; false where it fails before it is done. */
bool fake_begin(enum fake_call call)
{
	return begin(call, NULL);
}

struct fake_description *fake_at(int fd)
{
	return fd >= 0 && fd < FAKE_FDS ? fake.fd[fd] : NULL;
}

/* The same for a call on a descriptor; NULL where it fails, with `fake_result`. */
struct fake_description *fake_begin_on(enum fake_call call, int fd, int64_t offset, int64_t length,
				       int advice)
{
	struct fake_description *description = fake_at(fd);

	if (description && fake.steps < FAKE_STEPS)
		fake.step[fake.steps++] =
			(struct fake_step){call, description->file, offset, length, advice};
	if (!begin(call, description))
		return NULL;
	fake_result = -EBADF;
	if (description && description->flags & O_PATH && call != CALL_stat && call != CALL_close)
		return NULL;
	return description;
}

long sys_getpid(void)
{
	fake_begin(CALL_getpid);
	return fake.pid;
}

long sys_geteuid(void)
{
	fake_begin(CALL_geteuid);
	return fake.euid;
}

long sys_may_write(int fd)
{
	fake_begin(CALL_may_write);
	(void)fd;
	return fake.may_write ? 0 : -EACCES;
}

long sys_sleep(long nanoseconds)
{
	fake_begin(CALL_sleep);
	ck_assert_int_gt(nanoseconds, 0);
	fake.steady += nanoseconds;
	fake.wall += nanoseconds;
	pages_slept();
	return 0;
}

long sys_file_limit(uint64_t *bytes)
{
	*bytes = fake.file_limit;
	return fake_begin(CALL_file_limit) ? 0 : fake_result;
}

long sys_address_limit(uint64_t *bytes)
{
	*bytes = fake.address_limit ? fake.address_limit : UINT64_MAX;
	return 0;
}

int64_t sys_wall_clock(void)
{
	fake_begin(CALL_clock);
	return fake.wall;
}

int64_t sys_tick_clock(void)
{
	int64_t now = sys_wall_clock();

	return now - now % FAKE_TICK;
}

int64_t sys_steady_clock(void)
{
	fake_begin(CALL_clock);
	return fake.steady;
}

long sys_map(size_t length)
{
	void *memory;

	if (!fake_begin(CALL_map))
		return fake_result;
	memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	fake.maps++;
	return (long)memory;
}

static struct view *view_of(const void *at)
{
	for (int i = 0; i < VIEWS; i++)
		if (views[i].at == at)
			return &views[i];
	return NULL;
}

/* A view of a file has an address and no bytes: it is there to be asked about. */
long sys_map_file(int fd, int64_t offset, size_t length)
{
	struct fake_description *description =
		fake_begin_on(CALL_map_file, fd, offset, (int64_t)length, 0);
	struct view *view = view_of(NULL);

	if (!description)
		return fake_result;
	ck_assert_int_eq(offset % PAGE, 0);
	if ((description->flags & O_ACCMODE) == O_WRONLY)
		return -EACCES;
	ck_assert_ptr_nonnull(view);
	*view = (struct view){.file = description->file, .offset = offset, .length = length};
	view->at = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fake.maps++;
	return (long)view->at;
}

static void keep(char *at, size_t length)
{
	int i = 0;

	while (kept[i].at)
		i++;
	ck_assert_int_lt(i, KEPT);
	kept[i] = (struct kept){at, length};
}

static void forget_kept(const char *at)
{
	for (int i = 0; i < KEPT; i++)
		if (kept[i].at == at)
			kept[i].at = NULL;
}

/*
 * madvise(2) fails where some of it is not there; mincore(2), under qemu, of memory that may not be
 * read, too.
 */
static bool is_mapped(void *address, size_t length)
{
	return !madvise(address, length, MADV_NORMAL);
}

long sys_unmap(void *address, size_t length)
{
	struct view *view = view_of(address);

	if (!fake_begin(CALL_unmap))
		return fake_result;
	ck_assert_msg(!fake_flies_into(address, length), "unmaps what is being read into");
	ck_assert_msg(is_mapped(address, length), "unmaps what is not mapped");
	forget_kept(address);
	ck_assert_int_eq(munmap(address, length), 0);
	ck_assert(!view || view->length == length);
	if (view)
		view->at = NULL;
	fake.maps--;
	return 0;
}

long sys_mincore(void *address, size_t length, unsigned char *vector)
{
	const struct view *view = view_of(address);

	if (!fake_begin(CALL_mincore))
		return fake_result;
	ck_assert_ptr_nonnull(view);
	ck_assert_uint_le(length, view->length);
	for (int64_t done = 0; done < (int64_t)length; done += PAGE)
		*vector++ = fake_bytes(view->file, CACHED, view->offset + done,
				       view->offset + done + PAGE) > 0;
	return 0;
}

long sys_madvise(void *address, size_t length, int advice)
{
	if (!fake_begin(CALL_madvise))
		return fake_result;
	if ((advice == POPULATE_READ || advice == POPULATE_WRITE) && fake.bad_memory &&
	    fake.bad_memory < (char *)address + length && (char *)address < fake.bad_memory + PAGE)
		return -EFAULT;
	if (advice == MADV_DONTFORK)
		keep(address, length);
	if (advice == PAGE_OUT)
		fake_page_out(address);
	if (advice == MADV_WIPEONFORK) {
		wiped_on_fork = address;
		wiped_length = length;
	}
	return 0;
}

long sys_peek(const void *from, void *to, size_t n)
{
	if (!fake_begin(CALL_peek))
		return fake_result;
	memcpy(to, from, n);
	return (long)n;
}

char *fake_memory(size_t n)
{
	char *memory = mmap(NULL, (size_t)align_up((int64_t)n, PAGE) + PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	memory += align_up((int64_t)n, PAGE);
	ck_assert_int_eq(mprotect(memory, PAGE, PROT_NONE), 0);
	fake.bad_memory = memory;
	return memory - n;
}

void fake_fork(void)
{
	fake.ppid = fake.pid++;
	for (int i = 0; i < KEPT; i++)
		if (kept[i].at)
			munmap(kept[i].at, kept[i].length);
	memset(kept, 0, sizeof(kept));
	if (wiped_on_fork)
		memset(wiped_on_fork, 0, wiped_length);
}

void fake_vfork(void)
{
	fake.ppid = fake.pid++;
}

unsigned long fake_all_calls(void)
{
	unsigned long all = 0;

	for (int i = 0; i < CALLS; i++)
		all += fake.calls[i];
	return all;
}

unsigned long fake_advices(int advice)
{
	unsigned long n = 0;

	for (int i = 0; i < fake.steps; i++)
		n += fake.step[i].call == CALL_advise && fake.step[i].advice == advice;
	return n;
}

int fake_step_of(enum fake_call call, const struct fake_file *file)
{
	for (int i = 0; i < fake.steps; i++)
		if (fake.step[i].call == call && (!file || fake.step[i].file == file))
			return i;
	return -1;
}
