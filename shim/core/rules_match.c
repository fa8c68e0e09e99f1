/* rules_match.c - the first rule that a file falls under. */
#include "rules.h"

#include <string.h>

static bool pattern_matches(const struct rule *rule, const char *path)
{
	const char *slash;

	if (rule->any)
		return true;
	if (!path)
		return false;
	slash = strrchr(path, '/');
	return rules_glob(rule->pattern, rule->whole_path || !slash ? path : slash + 1);
}

static bool condition_holds(const struct condition *condition, const struct rules_subject *file)
{
	switch (condition->test) {
	case TEST_SIZE_AT_LEAST:
		return file->size >= condition->number;
	case TEST_SIZE_BELOW:
		return file->size < condition->number;
	case TEST_MODE:
		return file->access == condition->number;
	case TEST_FS:
		return file->fs && rules_glob(condition->glob, file->fs);
	case TEST_PROG:
		return file->prog && rules_glob(condition->glob, file->prog);
	}
	return false;
}

static bool is_of_size(const struct condition *condition)
{
	return condition->test == TEST_SIZE_AT_LEAST || condition->test == TEST_SIZE_BELOW;
}

static bool matches_but_for_size(const struct rule *rule, const struct rules_subject *file)
{
	for (int i = 0; i < rule->conditions; i++)
		if (!is_of_size(&rule->condition[i]) && !condition_holds(&rule->condition[i], file))
			return false;
	return pattern_matches(rule, file->path);
}

/* The least line above the file's size that the rule draws. */
static uint64_t next_line_of(const struct rule *rule, uint64_t size)
{
	uint64_t line = INT64_MAX;

	for (int i = 0; i < rule->conditions; i++)
		if (is_of_size(&rule->condition[i]) && rule->condition[i].number > size &&
		    rule->condition[i].number < line)
			line = rule->condition[i].number;
	return line;
}

int64_t rules_next_line(const struct rules *rules, const struct rules_subject *file)
{
	uint64_t least = INT64_MAX, line;

	for (int i = 0; i < rules->count; i++) {
		line = next_line_of(&rules->rule[i], file->size);
		if (line < least && matches_but_for_size(&rules->rule[i], file))
			least = line;
	}
	return (int64_t)least;
}

static bool rule_matches(const struct rule *rule, const struct rules_subject *file)
{
	for (int i = 0; i < rule->conditions; i++)
		if (!condition_holds(&rule->condition[i], file))
			return false;
	return pattern_matches(rule, file->path);
}

const struct treatment *rules_match(const struct rules *rules, const struct rules_subject *file)
{
	for (int i = 0; i < rules->count; i++)
		if (rule_matches(&rules->rule[i], file))
			return &rules->rule[i].treatment;
	return NULL;
}
