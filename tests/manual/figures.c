/*
 * figures.c - the figures that README.md and libnocache(7) name, as the headers have them: a line
 * each of the page (`README`, `libnocache`) or `both`, a tab, and the words that it must say.
 */
#include "bounce.h"
#include "direct_file.h"
#include "dontcache.h"
#include "policy.h"
#include "record.h"
#include "rules.h"
#include "stream_room.h"

#include <stdio.h>

static void says(const char *page, const char *before, long long n, const char *behind)
{
	printf("%s\t%s%lld%s\n", page, before, n, behind);
}

int main(void)
{
	struct treatment usual = policy_defaults(POLICY_DIRECT);

	says("both", "from ", DIRECT_AUTO_SIZE / MIB, " MiB, by");
	says("both", "requests of ", DIRECT_AUTO_READ / KIB, " KiB and more");
	says("README", "**Writes** of ", DIRECT_LARGE / KIB, " KiB and more");
	says("libnocache", "writes of ", DIRECT_LARGE / KIB, " KiB and more");
	says("libnocache", "only reads of ", DIRECT_LARGE / KIB, " KiB and more");
	says("both", "uffers take ", BOUNCE_MOST / MIB, " MiB of a process at most");
	says("both", "one process hold ", ROOM_MOST / MIB, " MiB together");
	says("libnocache", "never less than ", ROOM_LEAST / KIB, " KiB");
	says("README", "each has less, ", ROOM_LEAST / KIB, " KiB at least");
	says("README", "reads of ", DONTCACHE_READ_LEAST / MIB, " MiB and more");
	says("README", "Writes of ", DONTCACHE_WRITE_LEAST / KIB, " KiB and more and");
	says("libnocache", "of ", DONTCACHE_READ_LEAST / MIB, " MiB for reads");
	says("libnocache", "and ", DONTCACHE_WRITE_LEAST / KIB, " KiB for writes");
	says("libnocache", "at most ", RECORD_MAX, " bytes");
	says("libnocache", "may be ", RULES_MAX, " rules");
	says("libnocache", "of ", RULES_CONDITIONS, " conditions each");
	says("README", "`window=", (long long)usual.window / MIB, "M`");
	says("README", "`block=", (long long)usual.block / MIB, "M`");
	says("README", "`depth=", (long long)usual.depth, "`");
	says("libnocache", "what falls back to it: ", (long long)usual.window / MIB, "M.");
	says("libnocache", "direct request: ", (long long)usual.block / MIB, "M.");
	says("libnocache", "in flight: ", (long long)usual.depth, ".");
	return 0;
}
