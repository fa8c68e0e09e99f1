/*
 * diff.h - oracle-diff: performs a list bare and under the library, and compares.
 */
#ifndef DIFF_H
#define DIFF_H

#include "oracle.h"

/* What is tried; the strings belong to main. */
struct trial {
	const char *program; /* oracle-run */
	const char *lib;     /* NULL: bare against bare */
	const char *policy;
	char *work; /* a directory of ours */
	unsigned long long seed;
	size_t count;
	const struct list *list; /* instead of seed and count */
	int seconds;             /* a run that takes longer hangs */
	int lenient;             /* O_DIRECT takes any request under this policy */
	int holes;
};

enum { SIDE_BARE, SIDE_SHIM, SIDES };

enum { TRIAL_SAME, TRIAL_DIFFERS, TRIAL_BROKEN };

/* become.c: executes one side's program; MESSAGES: to serve (run.h), else NULL. */
_Noreturn void side_become(const struct trial *t, int side, const char *messages);

/* Whether under the policy a program's O_DIRECT takes any request. */
int policy_is_lenient(const char *policy);

/* spawn.c: one side's run; its wait status, or -1 for one that hung and was killed. */
int spawn_side(const struct trial *t, int side);

/* same.c: runs both sides and compares everything; OP is the operation at fault, or -1. */
int trial_run(const struct trial *t, int verbose, long *op);

/* same.c: WORK/bareSUFFIX or WORK/shimSUFFIX, in a buffer of each side's that is reused. */
const char *side_path(const struct trial *t, int side, const char *suffix);

/* shrink.c: drops operations for at most SECONDS, as long as the rest still differs. */
void shrink(struct trial *t, struct list *list, long op, int seconds);

#endif
