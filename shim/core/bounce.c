/* bounce.c - blocks of huge pages, out of a budget. */
#include "bounce.h"

#include "align.h"
#include "procfs.h"
#include "sys.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 * 1024 * 1024 };

static _Atomic int64_t held;

bool bounce_is_huge(void)
{
	static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	static _Atomic int known; /* 1 no, 2 yes */
	int answer = atomic_load_explicit(&known, memory_order_relaxed), says;

	if (answer)
		return answer == 2;
	says = procfs_says(path, "[madvise]");
	if (!says)
		says = procfs_says(path, "[always]");
	if (says >= 0 || says == -ENOENT)
		atomic_store_explicit(&known, says > 0 ? 2 : 1, memory_order_relaxed);
	return says > 0;
}

/* Under a limit of the address space the program may come to need what we would take. */
static bool is_limited(void)
{
	uint64_t limit;

	return sys_failed(sys_address_limit(&limit)) || limit != UINT64_MAX;
}

static bool afford(int64_t size)
{
	int64_t total = atomic_fetch_add_explicit(&held, size, memory_order_relaxed) + size;

	if (total <= BOUNCE_MOST)
		return true;
	atomic_fetch_sub_explicit(&held, size, memory_order_relaxed);
	return false;
}

static bool map(struct bounce *bounce)
{
	long memory = sys_map((size_t)bounce->mapped);

	if (sys_failed(memory))
		return false;
	bounce->map = (char *)memory;
	bounce->block = bounce->map;
	if (bounce->size >= HUGE_PAGE)
		bounce->block = (char *)(uintptr_t)align_up(memory, HUGE_PAGE);
	sys_madvise(bounce->block, (size_t)bounce->size, MADV_HUGEPAGE);
	sys_madvise(bounce->block, (size_t)bounce->size, MADV_DONTDUMP);
	if (sys_failed(sys_madvise(bounce->map, (size_t)bounce->mapped, MADV_DONTFORK)))
		return false;
	/* btrfs reads through the cache into pages that are not there yet: btrfs_direct_read(). */
	sys_madvise(bounce->block, (size_t)bounce->size, MADV_POPULATE_WRITE);
	return true;
}

bool bounce_begin(struct bounce *bounce, int64_t size)
{
	*bounce = (struct bounce){.size = align_up(size, PAGE)};
	if (bounce->size >= HUGE_PAGE)
		bounce->size = align_up(size, HUGE_PAGE);
	bounce->mapped = bounce->size + (bounce->size >= HUGE_PAGE ? HUGE_PAGE : 0);
	if (is_limited() || !afford(bounce->size)) {
		*bounce = (struct bounce){0};
		return false;
	}
	if (map(bounce))
		return true;
	bounce_end(bounce);
	return false;
}

void bounce_end(struct bounce *bounce)
{
	if (bounce->map)
		sys_unmap(bounce->map, (size_t)bounce->mapped);
	atomic_fetch_sub_explicit(&held, bounce->size, memory_order_relaxed);
	*bounce = (struct bounce){0};
}

void bounce_forked(void)
{
	atomic_store_explicit(&held, 0, memory_order_relaxed);
}
