/* buf.c - the memory that calls read into and write from, and sums of it. */
#include "run.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	CANARY = 0xA5,
	MARGIN = 64,
	LOOK = 1 << 20,
	SPREAD = 64 << 10,
	PAGE = 4096,
	PIECE = 2 << 20
};

/* Room for a length that is only claimed, where the address space has it. */
static const size_t claim = (sizeof(long) == 4 ? 0 : 3ULL << 30) + BUF_MAX;
static char *arena, *pattern, *edge; /* edge: where nothing begins */

static char *reserve(size_t len)
{
	char *at = mmap(NULL, len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		abort();
	madvise(at, len, MADV_HUGEPAGE); /* forks copy few page tables */
	return at;
}

static void fill(char *at, size_t len)
{
	uint64_t x = 88172645463325252ULL;

	for (size_t i = 0; i + 8 <= len; i += 8) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(at + i, &x, 8);
	}
}

void buf_open(void)
{
	arena = reserve(claim);
	memset(arena, CANARY, BUF_MAX);
	pattern = reserve(BUF_MAX + SPREAD);
	fill(pattern, BUF_MAX + SPREAD);
	mprotect(pattern, BUF_MAX + SPREAD, PROT_READ);
	edge = reserve(EDGE + PAGE) + EDGE;
	memset(edge - EDGE, CANARY, EDGE);
	mprotect(edge, PAGE, PROT_NONE);
}

unsigned long long buf_sum(const void *data, size_t len)
{
	const char *at = data;
	uint64_t sum = 14695981039346656037ULL ^ len, word;

	for (; len >= 8; at += 8, len -= 8) {
		memcpy(&word, at, 8);
		sum = (sum ^ word) * 1099511628211ULL;
		sum ^= sum >> 29;
	}
	for (; len; at++, len--)
		sum = (sum ^ (unsigned char)*at) * 1099511628211ULL;
	return sum;
}

/* Of large ones some end with a whole piece, as a shim may cut them. */
static char *at_edge(const struct op *op, size_t len)
{
	unsigned long long seed = op->a[5];

	if (len > PIECE && seed % 2)
		return edge - (1 + seed / 2 % 2) * PIECE;
	return edge - seed % 9000;
}

char *buf_out(const struct op *op, size_t len)
{
	unsigned long long seed = op->a[5];

	if (op->a[4] & BUF_NULL)
		return NULL;
	if (op->a[4] & BUF_EDGE || len > BUF_MAX)
		return at_edge(op, len);
	return pattern + (op->a[4] & BUF_ALIGNED ? seed % (SPREAD / PAGE) * PAGE : seed % SPREAD);
}

char *buf_in(const struct op *op)
{
	unsigned long long seed = op->a[5];

	if (op->a[4] & BUF_NULL)
		return NULL;
	if (op->a[4] & BUF_EDGE)
		return at_edge(op, op->a[3]);
	return arena + PAGE + (op->a[4] & BUF_ALIGNED ? 0 : seed % PAGE);
}

static long touched(const char *from, const char *to)
{
	long count = 0;

	if (from < to && (unsigned char)*from == CANARY && !memcmp(from, from + 1, to - from - 1))
		return 0;
	for (; from < to; from++)
		count += (unsigned char)*from != CANARY;
	return count;
}

static char *limit(char *buf)
{
	return buf > edge - EDGE - 1 && buf <= edge ? edge : arena + BUF_MAX;
}

void say_read(char *buf, long long got, size_t len, int direct)
{
	char *end, *look, *last;
	long stray;

	if (!buf)
		return;
	last = limit(buf);
	end = got <= 0 ? buf : got > last - buf ? last : buf + got;
	look = last - end > LOOK ? end + LOOK : last;
	if (len < (size_t)(look - buf) && look > buf + len + MARGIN)
		look = buf + len + MARGIN;
	say(" sum=%llx", buf_sum(buf, end - buf));
	if (direct && len < (size_t)(last - buf))
		last = buf + len;
	stray = touched(buf - MARGIN, buf) + touched(end, look);
	if (stray && !direct)
		say(" stray=%ld", stray);
	memset(buf - MARGIN, CANARY, (direct ? last : stray ? look : end) - buf + MARGIN);
}
