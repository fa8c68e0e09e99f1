/* become.c - turns the process into oracle-run of one side. */
#include "diff.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int policy_is_lenient(const char *policy)
{
	static const char *const names[] = {"auto", "direct", "buffered"};
	const char *conditions = strrchr(policy, ' ');

	policy = conditions ? conditions + 1 : policy;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(policy, names[i], strlen(names[i])) == 0)
			return 1;
	return 0;
}

static void environment(const struct trial *t, int side)
{
	char rules[256];

	unsetenv("LD_PRELOAD");
	if (side == SIDE_BARE || !t->lib)
		return;
	snprintf(rules, sizeof(rules), "* %s", t->policy);
	setenv("NOCACHE_RULES", rules, 1);
	setenv("LD_PRELOAD", t->lib, 1);
}

void side_become(const struct trial *t, int side, const char *messages)
{
	char directory[4200], list[4200], seed[32], count[32], *argv[20];
	int n = 0;

	environment(t, side);
	snprintf(directory, sizeof(directory), "%s", side_path(t, side, ""));
	snprintf(list, sizeof(list), "%s/list", t->work);
	snprintf(seed, sizeof(seed), "%llu", t->seed);
	snprintf(count, sizeof(count), "%zu", t->count);
	argv[n++] = (char *)t->program;
	argv[n++] = "-d";
	argv[n++] = directory;
	argv[n++] = "-t";
	argv[n++] = (char *)side_path(t, side, ".trace");
	argv[n++] = t->list ? "-l" : "-s";
	argv[n++] = t->list ? list : seed;
	argv[n++] = "-n";
	argv[n++] = count;
	if (t->lenient)
		argv[n++] = side == SIDE_BARE || !t->lib ? "-B" : "-b";
	if (t->holes)
		argv[n++] = "-h";
	if (strstr(t->policy, "relaxed"))
		argv[n++] = "-q";
	if (messages) {
		argv[n++] = "-w";
		argv[n++] = (char *)messages;
	}
	argv[n] = NULL;
	execv(t->program, argv);
	_exit(127);
}
