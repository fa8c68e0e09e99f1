/* residency.c - asking the kernel which pages are cached. */
#include "residency.h"

#include "align.h"
#include "sys.h"

#include <errno.h>
#include <sys/uio.h>

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x8 /* preadv2(2); not in the headers of musl */
#endif

/* Pages asked of mincore at a time, since its answer lies on the stack. */
enum { PIECE_PAGES = 1024 };

/* Pages of a range that are read to learn whether it is cached. */
enum { SAMPLES = 4 };

/* The most that mincore is ever asked of at once. */
#define MINCORE_MOST ((int64_t)16 << 30)

static bool look(int fd, int64_t offset, int64_t length, unsigned char *pages)
{
	long view = sys_map_file(fd, offset, (size_t)length);
	bool known;

	if (sys_failed(view))
		return false;
	known = sys_mincore((void *)view, (size_t)length, pages) == 0;
	sys_unmap((void *)view, (size_t)length);
	return known;
}

/*
 * The answer of mincore(2) for at most PIECE_PAGES pages, one byte a page. A handler that does not
 * return would leave the file mapped.
 */
static bool mincore_piece(int fd, int64_t offset, int64_t length, unsigned char *pages)
{
	uint64_t mask;
	bool known;

	sys_block_signals(&mask);
	known = look(fd, offset, length, pages);
	sys_restore_signals(&mask);
	return known;
}

static int64_t mincore_bytes(int fd, int64_t offset, int64_t length)
{
	unsigned char pages[PIECE_PAGES];
	int64_t cached = 0;

	if (length > MINCORE_MOST)
		return RESIDENCY_UNKNOWN;
	for (int64_t done = 0, piece; done < length; done += piece) {
		piece = smaller(length - done, (int64_t)PIECE_PAGES * PAGE);
		if (!mincore_piece(fd, offset + done, piece, pages))
			return RESIDENCY_UNKNOWN;
		for (int64_t i = 0; i < align_up(piece, PAGE) / PAGE; i++)
			cached += (pages[i] & 1) * PAGE;
	}
	return cached;
}

int64_t residency_bytes(enum probe probe, int fd, int64_t offset, int64_t length)
{
	struct sys_cachestat stat;

	if (length <= 0)
		return 0;
	if (probe == PROBE_MINCORE)
		return mincore_bytes(fd, offset, length);
	if (probe == PROBE_NONE || sys_failed(sys_cachestat(fd, offset, length, &stat)))
		return RESIDENCY_UNKNOWN;
	return (int64_t)stat.cached * PAGE;
}

/* Whether mincore(2) tells this user the truth: mm/mincore.c, can_do_mincore(). */
static bool may_ask(int fd, uint32_t owner)
{
	long user = sys_geteuid();

	return user == 0 || (uint32_t)user == owner || !sys_failed(sys_may_write(fd));
}

enum probe residency_first(int fd, bool blind, uint32_t owner, int64_t length, int64_t *cached)
{
	struct sys_cachestat stat;
	long result = blind ? -ENOSYS : sys_cachestat(fd, 0, length, &stat);
	enum probe probe = PROBE_NONE;

	*cached = RESIDENCY_UNKNOWN;
	if (!sys_failed(result)) {
		*cached = (int64_t)stat.cached * PAGE;
		return PROBE_CACHESTAT;
	}
	if (result != -EPERM && may_ask(fd, owner))
		probe = PROBE_MINCORE;
	*cached = residency_bytes(probe, fd, 0, smaller(length, MINCORE_FIRST));
	return probe;
}

int64_t residency_by_reading(int fd, int64_t offset, int64_t length)
{
	int64_t cached = 0;
	char byte;
	struct iovec iov = {&byte, 1};

	for (int i = 0; i < SAMPLES; i++) {
		int64_t at = offset + align_down(length / SAMPLES * i, PAGE);
		long n = sys_preadv2(fd, &iov, 1, at, RWF_NOWAIT);

		if (n == -EAGAIN)
			return 0;
		if (n <= 0)
			break;
		cached += PAGE;
	}
	return cached ? cached : RESIDENCY_UNKNOWN;
}

int64_t residency_unwritten(enum probe probe, int fd, int64_t offset, int64_t length)
{
	struct sys_cachestat stat;

	if (length <= 0)
		return 0;
	if (probe != PROBE_CACHESTAT || sys_failed(sys_cachestat(fd, offset, length, &stat)))
		return RESIDENCY_UNKNOWN;
	return (int64_t)(stat.dirty + stat.writeback) * PAGE;
}

bool residency_map(enum probe probe, int fd, int64_t offset, int64_t length, uint64_t *bits,
		   int words)
{
	unsigned char pages[PIECE_PAGES];
	int64_t count = smaller(align_up(length, PAGE) / PAGE, smaller(words * 64, PIECE_PAGES));

	for (int i = 0; i < words; i++)
		bits[i] = 0;
	if (probe == PROBE_NONE || count <= 0 || !mincore_piece(fd, offset, count * PAGE, pages))
		return false;
	for (int64_t i = 0; i < count; i++)
		if (pages[i] & 1)
			bits[i / 64] |= 1ULL << i % 64;
	return true;
}
