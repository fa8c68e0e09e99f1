/* rules_print.c - rules back to text, and whether two of them are the same. */
#include "rules_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A glob as a word: a backslash before what would end it, or be more than a byte of it. */
static void print_glob(FILE *out, const char *glob)
{
	for (; *glob; glob++) {
		if (*glob == '\\' && glob[1])
			fputc(*glob++, out);
		else if (strchr(" \t\r;#\"", *glob))
			fputc('\\', out);
		fputc(*glob, out);
	}
}

static void print_condition(FILE *out, const struct condition *condition)
{
	static const char *const keys[] = {" size>=", " size<", " mode=", " fs=", " prog="};
	static const char *const modes[] = {"", "r", "w", "rw"};

	fputs(keys[condition->test], out);
	if (condition->test == TEST_MODE)
		fputs(modes[condition->number], out);
	else if (condition->glob)
		print_glob(out, condition->glob);
	else
		fprintf(out, "%" PRIu64, condition->number);
}

static void print_treatment(FILE *out, const struct treatment *treatment)
{
	fprintf(out, " %s,%s,window=%" PRIu64 ",block=%" PRIu64 ",depth=%" PRIu64 "%s\n",
		policy_name(treatment->policy), treatment->keep ? "keep" : "nokeep",
		treatment->window, treatment->block, treatment->depth,
		treatment->relaxed ? ",relaxed" : "");
}

size_t rules_print(const struct rules *rules, char *memory, size_t room)
{
	FILE *out = fmemopen(memory, room, "w");
	long n;

	if (!out)
		return 0;
	for (int i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rule[i];

		print_glob(out, rule->pattern);
		for (int j = 0; j < rule->conditions; j++)
			print_condition(out, &rule->condition[j]);
		print_treatment(out, &rule->treatment);
	}
	n = ftell(out);
	return fclose(out) == 0 && n > 0 ? (size_t)n : 0;
}

static bool same_glob(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool same_conditions(const struct rule *one, const struct rule *other)
{
	for (int i = 0; i < one->conditions; i++) {
		const struct condition *a = &one->condition[i], *b = &other->condition[i];

		if (a->test != b->test || a->number != b->number || !same_glob(a->glob, b->glob))
			return false;
	}
	return one->conditions == other->conditions;
}

static bool same_treatment(const struct treatment *one, const struct treatment *other)
{
	return one->policy == other->policy && one->keep == other->keep &&
	       one->relaxed == other->relaxed && one->window == other->window &&
	       one->block == other->block && one->depth == other->depth;
}

static bool same_rule(const struct rule *one, const struct rule *other)
{
	return same_glob(one->pattern, other->pattern) && one->whole_path == other->whole_path &&
	       one->any == other->any && same_conditions(one, other) &&
	       same_treatment(&one->treatment, &other->treatment);
}

bool rules_same(const struct rules *one, const struct rules *other)
{
	for (int i = 0; i < one->count; i++)
		if (i >= other->count || !same_rule(&one->rule[i], &other->rule[i]))
			return false;
	return one->count == other->count && one->need_path == other->need_path &&
	       one->need_fs == other->need_fs;
}
