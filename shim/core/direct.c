/* direct.c - copying between two files through a bounce buffer, both sides by O_DIRECT. */
#include "direct.h"

#include "fdlink.h"
#include "procfs.h"
#include "settle.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Copies from which `auto`, and `direct`, think it worth opening two descriptions. */
enum { AUTO_WORTH = 16 * 1024 * 1024, DIRECT_WORTH = 1024 * 1024 };

enum { HUGE_PAGE = 2 * 1024 * 1024 };

/* A block of huge pages: direct I/O into ordinary ones is slower than the page cache. */
struct bounce {
	char *map;
	char *block;
	int64_t size;
};

static bool huge_pages(void)
{
	static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	static _Atomic int known; /* 1 no, 2 yes */
	int answer = atomic_load_explicit(&known, memory_order_relaxed);

	if (!answer) {
		answer = procfs_says(path, "[madvise]") || procfs_says(path, "[always]") ? 2 : 1;
		atomic_store_explicit(&known, answer, memory_order_relaxed);
	}
	return answer == 2;
}

static bool bounce_begin(struct bounce *bounce, int64_t size)
{
	long map = sys_map((size_t)size + HUGE_PAGE);

	if (sys_failed(map))
		return false;
	bounce->map = (char *)map;
	bounce->block = (char *)align_up(map, HUGE_PAGE);
	bounce->size = size;
	sys_madvise(bounce->block, (size_t)size, MADV_HUGEPAGE);
	/* A child must not share pages that the device writes into. */
	sys_madvise(bounce->block, (size_t)size, MADV_DONTFORK);
	return true;
}

static void bounce_end(struct bounce *bounce)
{
	sys_unmap(bounce->map, (size_t)bounce->size + HUGE_PAGE);
}

/* A second, direct description of the same file, or < 0. */
static int open_direct(const struct file *file, int fd, int mode)
{
	struct statx st;
	long second = fdlink_open(fd, mode | O_DIRECT | O_NOATIME);

	if (sys_failed(second))
		second = fdlink_open(fd, mode | O_DIRECT);
	if (sys_failed(second))
		return -1;
	if (file_confirm(file, (int)second, &st) && S_ISREG(st.stx_mode))
		return (int)second;
	sys_close((int)second);
	return -1;
}

/* The block that both files need, or 0 where one of them has no direct I/O of its own. */
static int64_t common_block(const struct direct_end *in, const struct direct_end *out)
{
	int64_t a = sys_direct_block(in->fd), b = sys_direct_block(out->fd);

	if (a <= 0 || b <= 0)
		return 0;
	return larger(larger(a, b), PAGE);
}

static bool asked_for_it(const struct file *file, int64_t n)
{
	return (file->asked == POLICY_AUTO && n >= AUTO_WORTH) ||
	       (file->asked == POLICY_DIRECT && n >= DIRECT_WORTH);
}

/*
 * A source that is in the cache is best taken from there; a destination that others have in the
 * cache, or that is mapped, must not be written behind their back.
 */
static bool suits(const struct direct_end *in, const struct direct_end *out, int64_t n)
{
	if (!in->file || !out->file || !asked_for_it(out->file, n) || !asked_for_it(in->file, n))
		return false;
	if (in->file->policy != POLICY_DONTNEED || out->file->policy != POLICY_DONTNEED)
		return false;
	if (in->file->before == BEFORE_ALL || out->file->before != BEFORE_NOTHING)
		return false;
	if (atomic_load_explicit(&in->file->mapped, memory_order_relaxed) ||
	    atomic_load_explicit(&out->file->mapped, memory_order_relaxed))
		return false;
	return !settle_refrains() && !file_is_locked(in->file) && !file_is_locked(out->file) &&
	       huge_pages();
}

/* Moves one block; returns the bytes that arrived, less than `n` where there is no going on. */
static int64_t copy_block(int from, int64_t from_at, int to, int64_t to_at, struct bounce *bounce,
			  int64_t n, int64_t block)
{
	int64_t got = sys_pread(from, bounce->block, (size_t)n, from_at);

	got = align_down(larger(got, 0), block);
	return got ? larger(sys_pwrite(to, bounce->block, (size_t)got, to_at), 0) : 0;
}

static int64_t copy_blocks(struct direct_end *in, int from, struct direct_end *out, int to,
			   struct bounce *bounce, int64_t n, int64_t block)
{
	int64_t done = 0, moved = bounce->size;

	while (done < n && moved == bounce->size) {
		moved = copy_block(from, in->at, to, out->at, bounce,
				   smaller(n - done, bounce->size), block);
		done += moved;
		in->at += moved;
		out->at += moved;
	}
	return done;
}

static int64_t copy_between(struct direct_end *in, struct direct_end *out, int64_t n, int64_t block)
{
	int64_t size = align_up((int64_t)out->file->treatment.block, HUGE_PAGE), done = 0;
	struct bounce bounce;
	int from, to;

	if ((from = open_direct(in->file, in->fd, O_RDONLY)) < 0)
		return 0;
	if ((to = open_direct(out->file, out->fd, O_WRONLY)) >= 0) {
		if (bounce_begin(&bounce, size)) {
			done = copy_blocks(in, from, out, to, &bounce, n, block);
			bounce_end(&bounce);
		}
		sys_close(to);
	}
	sys_close(from);
	return done;
}

int64_t direct_copy(struct direct_end *in, struct direct_end *out, int64_t n)
{
	int64_t block, done;
	struct statx st;

	if (in->at < 0 || out->at < 0 || !suits(in, out, n) || !file_confirm(in->file, in->fd, &st))
		return 0;
	n = smaller(n, file_size(&st) - in->at);
	block = common_block(in, out);
	if (!block || in->at % block || out->at % block || !asked_for_it(out->file, n))
		return 0;
	done = copy_between(in, out, align_down(n, block), block);
	file_count(in->file, COUNT_direct, (uint64_t)done);
	file_count(out->file, COUNT_direct, (uint64_t)done);
	file_count(out->file, COUNT_bounced, (uint64_t)done);
	file_count(in->file, COUNT_bounced, (uint64_t)done);
	return done;
}
