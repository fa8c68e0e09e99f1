/* print_text.c - what was found out, in words. */
#include "probe.h"

#include "align.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PATH_COLUMNS = 77 };

static const char *size(int64_t n, char room[32])
{
	if (n < 0)
		return "unknown";
	if (n && n % (1024 * 1024) == 0)
		snprintf(room, 32, "%lld MiB", (long long)n / (1024 * 1024));
	else if (n && n % 1024 == 0)
		snprintf(room, 32, "%lld KiB", (long long)n / 1024);
	else
		snprintf(room, 32, "%lld byte%s", (long long)n, n == 1 ? "" : "s");
	return room;
}

static const char *no(int64_t error, char room[128])
{
	snprintf(room, 128, "no (%s)", strerror((int)-error));
	return room;
}

static void line(const char *name, const char *text)
{
	printf("%-15s %s\n", name, text);
}

static const char *direct_words(const struct facts *facts, char room[128])
{
	char a[32], b[32];

	if (facts->direct_error)
		return no(facts->direct_error, room);
	if (!facts->direct_taken)
		return "opens, but writes of up to 4 KiB are refused";
	if (!facts->direct_true)
		return facts->kept ? "accepted, but the bytes go through the page cache"
				   : "accepted; whether bytes pass by the cache is not seen here";
	snprintf(room, 128, "yes: from %s, memory aligned to %s%s", size(facts->direct_true, a),
		 size(facts->direct_memory, b),
		 facts->direct_taken < facts->direct_true ? "; less is cached" : "");
	return room;
}

static const char *effect_words(int64_t left, char room[128])
{
	char a[32];

	if (left == -EOPNOTSUPP || left == -EINVAL)
		return "no";
	if (left < -1)
		return no(left, room);
	if (left <= 0)
		return left ? "accepted, effect unknown" : "yes";
	if (left >= FILL)
		return "accepted, no effect";
	snprintf(room, 128, "partly (%s of 8 MiB stay)", size(left, a));
	return room;
}

static const char *sees_words(const struct facts *facts, int64_t seen_bytes, char room[128])
{
	char a[32];

	if (seen_bytes < 0)
		return no(seen_bytes == UNKNOWN ? -EPERM : seen_bytes, room);
	if (seen_bytes >= FILL || !facts->kept)
		return "yes";
	snprintf(room, 128, "misleads (sees %s where 8 MiB are cached)", size(seen_bytes, a));
	return room;
}

static const char *folio_words(const struct facts *facts, char room[128])
{
	char a[32];

	if (!facts->kept)
		return "nothing stays in the cache here";
	if (!facts->folio)
		return "the page cache cannot be dropped here";
	if (facts->folio == PAGE)
		return "no: single pages can be dropped";
	snprintf(room, 128, "yes: only pieces of %s and more are dropped", size(facts->folio, a));
	return room;
}

static const char *lease_words(const struct facts *facts, char room[128])
{
	if (facts->lease)
		return no(facts->lease, room);
	return facts->info.tells_changes
		       ? "yes: reading ahead into own memory is possible"
		       : "yes, but changes are not told: no reading ahead into memory";
}

static void print_notes(const struct facts *facts, const struct job jobs[JOBS])
{
	bool shares = !facts->reflink && !jobs[JOB_COPY].held;
	bool later = jobs[JOB_SMALL].left > 0 && strcmp(jobs[JOB_SMALL].policy, "off") != 0;

	if (facts->dontcache_off || shares || later)
		putchar('\n');
	if (facts->dontcache_off)
		puts("RWF_DONTCACHE is off before Linux 6.16, which repaired it.");
	if (shares)
		puts("A copy shares the blocks of its source: nothing is moved.");
	if (later)
		puts("Small files are let go some at a time, at the latest when a program ends.");
	if (!nocache_status)
		puts("\nThe library is not preloaded: auto did nothing (see nocache --probe).");
}

void print_text(const struct facts *facts, const struct job jobs[JOBS])
{
	char room[128], other[128], left[32], held[32];

	printf("%s%s\n%s, kernel %s\n\n", strlen(where) > PATH_COLUMNS ? "..." : "",
	       where + larger((int64_t)strlen(where) - PATH_COLUMNS, 0), facts->fs,
	       facts->kernel.release);
	line("O_DIRECT", direct_words(facts, room));
	printf("%-15s written: %s; read: %s\n", "RWF_DONTCACHE",
	       effect_words(facts->dontcache_write, room),
	       effect_words(facts->dontcache_read, other));
	line("cachestat", sees_words(facts, facts->cachestat, room));
	line("mincore", sees_words(facts, facts->mincore, room));
	line("NOREUSE",
	     facts->noreuse ? no(facts->noreuse, room) : "accepted (Linux does little with it)");
	line("large folios", folio_words(facts, room));
	line("reflink", facts->reflink ? no(facts->reflink, room) : "yes");
	line("leases", lease_words(facts, room));
	printf("\n%-15s %-10s %-14s %-10s %s\n", "auto does here", "policy", "reason", "cached",
	       "after close");
	for (int i = 0; i < JOBS; i++)
		printf("%-15s %-10s %-14s %-10s %s\n", jobs[i].name, jobs[i].policy, jobs[i].reason,
		       size(jobs[i].held, held), size(jobs[i].left, left));
	print_notes(facts, jobs);
}
