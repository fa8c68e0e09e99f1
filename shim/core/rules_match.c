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
