/*
 * operations.c - fuzz target: the same operations, bare and under the library, come to the same.
 *
 * The oracle's list, executors and comparison (tests/oracle). Each side has a program that forks a
 * child for each input (operations_sides.c); in the library's, the places reached are counted.
 * Environment, from tests/fuzz/run: ORACLE_RUN, its program; LIB, the library; WORK, a directory
 * whose subdirectories bare and shim are on the file system to try.
 */
#include "operations.h"
#include "fuzz.h"

enum { SECONDS = 60, AGAIN = 3 };

static int run_both(const struct input *input, const char *lib)
{
	struct trial trial = {
		.program = getenv("ORACLE_RUN"),
		.lib = lib,
		.policy = input->policy,
		.work = getenv("WORK"),
		.list = &input->list,
		.seconds = SECONDS,
		.lenient = policy_is_lenient(input->policy),
	};
	long op;

	HOLDS(trial.program && trial.work);
	return trial_run(&trial, 1, &op);
}

/* Some of what the kernel does is left to chance: then it is no matter of the library's. */
static int chance(const struct input *input)
{
	for (int i = 0; i < AGAIN; i++)
		if (run_both(input, NULL) == TRIAL_DIFFERS)
			return 1;
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setvbuf(stdout, NULL, _IOLBF, 0);
	operations_cover();
	return 0;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	struct input input = operations_read(data, n);
	int the_same = !input.list.count || run_both(&input, getenv("LIB")) != TRIAL_DIFFERS;

	if (!the_same && chance(&input)) {
		puts("chance: differs from one bare run to the next");
		the_same = 1;
	}
	HOLDS(the_same);
	free(input.list.op);
	return 0;
}
