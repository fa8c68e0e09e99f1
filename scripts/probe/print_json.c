/* print_json.c - what was found out, as one JSON object. */
#include "probe.h"

#include <stdio.h>
#include <string.h>

/* As JSON, any path: what is not plain is %XX. */
static void print_path(const char *path)
{
	for (; *path; path++)
		if (*path < ' ' || *path > '~' || strchr("%\"\\", *path))
			printf("%%%02X", (unsigned char)*path);
		else
			putchar(*path);
}

static const char *json_effect(int64_t left)
{
	return left == UNKNOWN ? "\"unknown\""
	       : left < 0      ? "\"no\""
	       : left == 0     ? "\"yes\""
	       : left >= FILL  ? "\"none\""
			       : "\"partly\"";
}

static const char *json_sees(const struct facts *facts, int64_t seen_bytes)
{
	return seen_bytes < 0                       ? "\"no\""
	       : seen_bytes >= FILL || !facts->kept ? "\"yes\""
						    : "\"misleads\"";
}

void print_json(const struct facts *facts, const struct job jobs[JOBS])
{
	printf("{\"path\":\"");
	print_path(where);
	printf("\",\"fs\":\"%s\",\"kernel\":\"%s\"", facts->fs, facts->kernel.release);
	printf(",\"direct\":{\"opens\":%s,\"accepts\":%lld,\"past_cache\":%lld,\"memory\":%lld,"
	       "\"statx\":%lld,\"used\":%lld}",
	       facts->direct_error ? "false" : "true", (long long)facts->direct_taken,
	       (long long)facts->direct_true, (long long)facts->direct_memory,
	       (long long)facts->direct_said, (long long)facts->direct_block);
	printf(",\"dontcache\":{\"write\":%s,\"read\":%s}", json_effect(facts->dontcache_write),
	       json_effect(facts->dontcache_read));
	printf(",\"cachestat\":%s,\"mincore\":%s", json_sees(facts, facts->cachestat),
	       json_sees(facts, facts->mincore));
	printf(",\"noreuse\":%s,\"drops_from\":%lld", facts->noreuse ? "false" : "true",
	       (long long)facts->folio);
	printf(",\"reflink\":%s,\"lease\":%s,\"read_ahead\":%s,\"auto\":{",
	       facts->reflink ? "false" : "true", facts->lease ? "false" : "true",
	       !facts->lease && facts->info.tells_changes ? "true" : "false");
	for (int i = 0; i < JOBS; i++)
		printf("%s\"%s\":{\"policy\":\"%s\",\"reason\":\"%s\",\"cached\":%lld,"
		       "\"after_close\":%lld}",
		       i ? "," : "", jobs[i].key, jobs[i].policy, jobs[i].reason,
		       (long long)jobs[i].held, (long long)jobs[i].left);
	printf("}}\n");
}
