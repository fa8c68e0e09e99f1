/*
 * policy.h - the policies of a rule and the options that go with them.
 */
#ifndef NOCACHE_POLICY_H
#define NOCACHE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

enum policy {
	POLICY_OFF,
	POLICY_OBSERVE,
	POLICY_AUTO,
	POLICY_DIRECT,
	POLICY_DONTNEED,
	POLICY_DONTCACHE,
	POLICY_NOREUSE,
	POLICY_DSYNC,
	POLICY_BUFFERED,
	POLICY_COUNT
};

/* What a rule asks for: a policy and its options, defaults filled in. Sizes in bytes. */
struct treatment {
	enum policy policy;
	bool keep;       /* pages that were cached before the program came stay cached */
	bool relaxed;    /* direct only */
	uint64_t window; /* most page cache that a stream may hold */
	uint64_t block;  /* direct: size of a request */
	uint64_t depth;  /* direct: requests in flight */
};

/* The treatment of a bare policy name: window 8 MiB, block 4 MiB, depth 2, keep. */
struct treatment policy_defaults(enum policy policy);

/* Where no rule matches. */
extern const struct treatment policy_off;

/* The name of a policy in rules, log and nocache.h; never NULL. */
const char *policy_name(enum policy policy);

/* The policy called by the `n` bytes at `name`, or POLICY_COUNT. */
enum policy policy_named(const char *name, unsigned n);

#endif
