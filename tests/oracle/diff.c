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
	"              [--without WORD[,WORD...]] [--holes]\n"
	"Performs the operations of a seed (or a list) bare and under LIB, and compares.\n"
	"WORD: a kind; edges: buffers that end too soon; lenience: odd requests by O_DIRECT.\n"
	"Exit status: 0 the same, 1 a difference, 2 trouble of its own.\n";

struct settings {
	struct trial trial;
	const char *dir, *list, *without;
	char dropped[OP_COUNT]; /* the kinds --without names */
	int strict, edgeless;   /* what else it names */
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
		{"program", 1, NULL, 'x'},
		{"lib", 1, NULL, 'l'},
		{"dir", 1, NULL, 'd'},
		{"policy", 1, NULL, 'p'},
		{"seed", 1, NULL, 's'},
		{"ops", 1, NULL, 'n'},
		{"seeds", 1, NULL, 'c'},
		{"list", 1, NULL, 'f'},
		{"timeout", 1, NULL, 't'},
		{"shrink", 1, NULL, 'k'},
		{"without", 1, NULL, 'w'},
		{"holes", 0, NULL, 'h'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'x':
			s->trial.program = optarg;
			break;
		case 'l':
			s->trial.lib = *optarg ? optarg : NULL;
			break;
		case 'd':
			s->dir = optarg;
			break;
		case 'p':
			s->trial.policy = optarg;
			break;
		case 's':
			s->trial.seed = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			s->trial.count = strtoull(optarg, NULL, 10);
			break;
		case 'c':
			s->seeds = strtoull(optarg, NULL, 10);
			break;
		case 'f':
			s->list = optarg;
			break;
		case 't':
			s->trial.seconds = atoi(optarg);
			break;
		case 'k':
			s->shrink = atoi(optarg);
			break;
		case 'w':
			s->without = optarg;
			break;
		case 'h':
			s->trial.holes = 1;
			break;
		default:
			usage();
		}
	if (optind != argc || !s->dir || !s->trial.program)
		usage();
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

static void without_read(struct settings *s)
{
	char *words = strdup(s->without ? s->without : "");

	for (char *word = strtok(words, ","); word; word = strtok(NULL, ","))
		if (strcmp(word, "lenience") == 0)
			s->strict = 1;
		else if (strcmp(word, "edges") == 0)
			s->edgeless = 1;
		else if (kind_of(word) >= 0)
			s->dropped[kind_of(word)] = 1;
		else
			usage();
	free(words);
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
		printf(" --seed %llu --ops %zu%s%s\n", t->seed, t->count,
		       s->without ? " --without " : "", s->without ? s->without : "");
}

static int is_wanted(const struct settings *s, const struct op *op)
{
	int moves = op->kind == OP_read || op->kind == OP_pread || op->kind == OP_write ||
		    op->kind == OP_pwrite;

	if (moves && s->edgeless && (op->a[4] & BUF_EDGE || op->a[3] > BUF_MAX))
		return 0;
	return !s->dropped[op->kind];
}

/* What stands for the seed, without what is not wanted. */
static struct list list_of(const struct settings *s)
{
	struct list all = {0}, list = {0};

	generate(&all, s->trial.seed, s->trial.count);
	for (size_t i = 0; i < all.count; i++)
		if (is_wanted(s, &all.op[i]))
			list_add(&list, all.op[i]);
	free(all.op);
	return list;
}

static void explain(struct settings *s, struct list *list, long op)
{
	replay_print(s);
	if (s->shrink <= 0)
		return;
	shrink(&s->trial, list, op, s->shrink);
	printf("shrunk to %zu operations (for --list):\n", list->count);
	list_write(list, stdout);
	trial_run(&s->trial, 1, &op);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static int seed_run(struct settings *s)
{
	struct list list = {0};
	int found;
	long op;

	if (s->list)
		list_open(s->list, &list);
	else
		list = list_of(s);
	s->trial.list = s->list || s->without ? &list : NULL;
	found = trial_run(&s->trial, 1, &op);
	if (found == TRIAL_DIFFERS)
		explain(s, &list, op);
	free(list.op);
	return found;
}

static int seeds_run(struct settings *s)
{
	unsigned long long done = 0;
	double start = now(), ops;
	int found = TRIAL_SAME;

	for (; done < s->seeds && found == TRIAL_SAME; done++) {
		found = seed_run(s);
		s->trial.seed++;
	}
	ops = (double)done * s->trial.count;
	printf("%s: %.0f operations, twice, in %.1f s: %.0f a second\n", s->trial.policy, ops,
	       now() - start, 2 * ops / (now() - start));
	return found;
}

int main(int argc, char **argv)
{
	struct settings s = {
		.trial = {.policy = "off", .seed = 1, .count = 5000}, .seeds = 1, .shrink = 20};
	int found;

	setvbuf(stdout, NULL, _IOLBF, 0);
	settings_read(&s, argc, argv);
	without_read(&s);
	if (!s.trial.seconds) /* every write may wait for a slow disk */
		s.trial.seconds = 60 + s.trial.count / 50;
	s.trial.lenient = !s.strict && policy_is_lenient(s.trial.policy);
	s.trial.work = work_open(s.dir);
	found = seeds_run(&s);
	work_close(&s.trial);
	return found;
}
