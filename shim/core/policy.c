/* policy.c - the names and defaults of the policies. */
#include "policy.h"

#include <string.h>

static const char *const names[POLICY_COUNT] = {
	[POLICY_OFF] = "off",           [POLICY_OBSERVE] = "observe",
	[POLICY_AUTO] = "auto",         [POLICY_DIRECT] = "direct",
	[POLICY_DONTNEED] = "dontneed", [POLICY_DONTCACHE] = "dontcache",
	[POLICY_NOREUSE] = "noreuse",   [POLICY_DSYNC] = "dsync",
	[POLICY_BUFFERED] = "buffered",
};

const struct treatment policy_off = {
	.policy = POLICY_OFF,
	.keep = true,
	.window = 8 << 20,
	.block = 4 << 20,
	.depth = 2,
};

struct treatment policy_defaults(enum policy policy)
{
	struct treatment treatment = policy_off;

	treatment.policy = policy;
	return treatment;
}

const char *policy_name(enum policy policy)
{
	return (unsigned)policy < POLICY_COUNT ? names[policy] : "unknown";
}

enum policy policy_named(const char *name, unsigned n)
{
	for (enum policy policy = 0; policy < POLICY_COUNT; policy++)
		if (strlen(names[policy]) == n && memcmp(names[policy], name, n) == 0)
			return policy;
	return POLICY_COUNT;
}
