/* diff.c - oracle-diff: the command line, the seeds one after the other, and the report. */
#include "diff.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage_text[] =
	"usage: oracle --dir DIR [--lib LIB] [--policy POLICY] [--seed S] [--ops N]\n"
	"              [--seeds COUNT] [--list FILE] [--timeout SECONDS] [--shrink SECONDS]\n"
	"              [--holes]\n"
	"Performs the operations of a seed (or a list) bare and under LIB, and compares.\n"
	"Exit status: 0 the same, 1 a difference, 2 trouble of its own.\n";

struct settings {
	struct trial trial;
	const char *dir, *list;
	unsigned long long seeds;
	int shrink;
};

static _Noreturn void usage(void)
{
	fputs(usage_text, stderr);
	exit(2);
}

static void settings_read(struct settings *s, int argc, char **argv)
{
	static const struct option options[] = {
		{ "program", 1, NULL, 'x' }, { "lib", 1, NULL, 'l' }, { "dir", 1, NULL, 'd' },
		{ "policy", 1, NULL, 'p' }, { "seed", 1, NULL, 's' }, { "ops", 1, NULL, 'n' },
		{ "seeds", 1, NULL, 'c' }, { "list", 1, NULL, 'f' }, { "timeout", 1, NULL, 't' },
		{ "shrink", 1, NULL, 'k' }, { "holes", 0, NULL, 'h' }, { 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'x': s->trial.program = optarg; break;
		case 'l': s->trial.lib = *optarg ? optarg : NULL; break;
		case 'd': s->dir = optarg; break;
		case 'p': s->trial.policy = optarg; break;
		case 's': s->trial.seed = strtoull(optarg, NULL, 10); break;
		case 'n': s->trial.count = strtoull(optarg, NULL, 10); break;
		case 'c': s->seeds = strtoull(optarg, NULL, 10); break;
		case 'f': s->list = optarg; break;
		case 't': s->trial.seconds = atoi(optarg); break;
		case 'k': s->shrink = atoi(optarg); break;
		case 'h': s->trial.holes = 1; break;
		default: usage();
		}
	if (optind != argc || !s->dir || !s->trial.program)
		usage();
}

/* Under these a program's O_DIRECT takes any request (CONTRACT.md). */
static int lenient(const char *policy)
{
	static const char *const names[] = { "auto", "direct", "buffered" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(policy, names[i], strlen(names[i])) == 0)
			return 1;
	return 0;
}

static char *work_open(const char *dir)
{
	char *real = realpath(dir, NULL), *work;

	if (!real || asprintf(&work, "%s/oracle.XXXXXX", real) < 0 || !mkdtemp(work)) {
		perror(dir);
		exit(2);
	}
	free(real);
	return work;
}

static void work_close(const struct trial *t)
{
	char *command;

	if (asprintf(&command, "rm -rf '%s'", t->work) < 0 || system(command))
		fprintf(stderr, "oracle: %s is left behind\n", t->work);
}

static void list_open(const char *path, struct list *list)
{
	FILE *from = fopen(path, "r");

	if (!from || list_read(list, from)) {
		fprintf(stderr, "oracle: %s: not a list of operations\n", path);
		exit(2);
	}
	fclose(from);
}

static void replay_print(const struct settings *s)
{
	const struct trial *t = &s->trial;

	printf("replay: tests/oracle/oracle --lib '%s' --dir %s --policy %s", t->lib ? t->lib : "",
	       s->dir, t->policy);
	if (s->list)
		printf(" --list %s\n", s->list);
	else
		printf(" --seed %llu --ops %zu\n", t->seed, t->count);
}

static void explain(struct settings *s, const struct list *given, long op)
{
	struct list list = { 0 };

	replay_print(s);
	if (s->shrink <= 0)
		return;
	if (given)
		for (size_t i = 0; i < given->count; i++)
			list_add(&list, given->op[i]);
	else
		generate(&list, s->trial.seed, s->trial.count);
	shrink(&s->trial, &list, op, s->shrink);
	printf("shrunk to %zu operations (for --list):\n", list.count);
	list_write(&list, stdout);
	trial_run(&s->trial, 1, &op);
	free(list.op);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static int seeds_run(struct settings *s, const struct list *given)
{
	unsigned long long last = s->trial.seed + (given ? 1 : s->seeds), ops = 0;
	double start = now();
	int found = TRIAL_SAME;
	long op;

	s->trial.list = given;
	for (; s->trial.seed < last && found == TRIAL_SAME; s->trial.seed++) {
		found = trial_run(&s->trial, 1, &op);
		ops += given ? given->count : s->trial.count;
		if (found == TRIAL_DIFFERS) {
			explain(s, given, op);
			break;
		}
	}
	printf("%s: %llu operations, twice, in %.1f s: %.0f a second\n", s->trial.policy, ops,
	       now() - start, 2 * ops / (now() - start));
	return found;
}

int main(int argc, char **argv)
{
	struct settings s = { .trial = { .policy = "off", .seed = 1, .count = 5000, .seconds = 60 },
			      .seeds = 1, .shrink = 20 };
	struct list given = { 0 };
	int found;

	setvbuf(stdout, NULL, _IOLBF, 0);
	settings_read(&s, argc, argv);
	if (s.list)
		list_open(s.list, &given);
	s.trial.lenient = lenient(s.trial.policy);
	s.trial.work = work_open(s.dir);
	found = seeds_run(&s, s.list ? &given : NULL);
	work_close(&s.trial);
	return found;
}
