/* try_direct.c - which direct transfers are accepted, and which of them pass by the cache. */
#include "probe.h"

#include "sys.h"
#include "twin.h"

#include <fcntl.h>

/*
 * Whether a direct write is accepted. Not asked by reads, which succeed at any offset in a hole;
 * what is written is what is there.
 */
static bool direct_takes(int direct, int64_t at, int64_t n, int64_t shift)
{
	return sys_pwrite(direct, memory + shift, (size_t)n, at) == n;
}

/* Whether neither the write before nor a read leaves pages, as where it is buffered in secret. */
static bool leaves_nothing(const struct facts *facts, int fd, int direct, int64_t at, int64_t n,
			   int64_t shift)
{
	int64_t from = align_down(at, PAGE);

	return scratch_cached(facts, fd, from, 2 * PAGE) == 0 &&
	       sys_pread(direct, memory + shift, (size_t)n, at) == n &&
	       scratch_cached(facts, fd, from, 2 * PAGE) == 0;
}

static bool direct_passes(const struct facts *facts, int fd, int direct, int64_t at, int64_t n,
			  int64_t shift)
{
	for (int tries = 0; tries < TRIES; tries++) {
		scratch_drop(facts, fd);
		if (!direct_takes(direct, at, n, shift))
			return false;
		if (leaves_nothing(facts, fd, direct, at, n, shift))
			return true;
		sys_sleep((int64_t)TRY_NAP_NS << tries);
	}
	return false;
}

void try_direct(struct facts *facts, int fd)
{
	static const int sizes[] = {1, 512, 1024, 2048, 4096};
	int direct = scratch_again(fd, O_RDWR | O_DIRECT);

	facts->direct_block = twin_block(fd, facts->dev);
	facts->direct_said = larger(sys_direct_block(fd), 0);
	facts->direct_error = direct < 0 ? direct : 0;
	for (int i = 0; i < 5 && direct >= 0 && !facts->direct_true; i++) {
		int64_t n = sizes[i], at = FILL / 2 + n;

		scratch_drop(facts, fd);
		if (!facts->direct_taken && direct_takes(direct, at, n, 0))
			facts->direct_taken = n;
		if (facts->kept && direct_passes(facts, fd, direct, at, n, 0))
			facts->direct_true = n;
	}
	for (int shift = 1; facts->direct_true && shift <= PAGE && !facts->direct_memory;
	     shift *= 2) {
		if (direct_passes(facts, fd, direct, FILL / 2, PAGE, shift % PAGE))
			facts->direct_memory = shift;
	}
	if (direct >= 0)
		sys_close(direct);
}
