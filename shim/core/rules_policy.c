/* rules_policy.c - the last word of a rule: POLICY[,OPTION...]. */
#include "rules_parse.h"

#include <string.h>

/* Cuts the list at its first comma; what follows, or NULL. */
static char *cut(char *list)
{
	char *comma = strchr(list, ',');

	if (!comma)
		return NULL;
	*comma = '\0';
	return comma + 1;
}

/* The option's number in the treatment, and in *value its text; NULL where it has none. */
static uint64_t *find_number(struct treatment *treatment, const char *option, const char **value)
{
	const struct {
		const char *prefix;
		uint64_t *number;
	} numbers[] = {
		{"window=", &treatment->window},
		{"block=", &treatment->block},
		{"depth=", &treatment->depth},
	};

	for (int i = 0; i < (int)(sizeof numbers / sizeof numbers[0]); i++) {
		*value = option + strlen(numbers[i].prefix);
		if (text_starts(option, numbers[i].prefix))
			return numbers[i].number;
	}
	return NULL;
}

static bool parse_flag(struct treatment *treatment, const char *option)
{
	if (text_equal(option, "relaxed"))
		treatment->relaxed = true;
	else if (text_equal(option, "keep"))
		treatment->keep = true;
	else if (text_equal(option, "nokeep"))
		treatment->keep = false;
	else
		return false;
	return true;
}

static bool parse_option(struct parser *p, const struct word *word, const char *option)
{
	const char *value;
	uint64_t *number = find_number(&p->rule->treatment, option, &value);

	if (!number)
		return parse_flag(&p->rule->treatment, option) ||
		       parser_fail_at(p, word, option, "unknown option");
	return (parse_number(value, 0, number) && *number > 0) ||
	       parser_fail_at(p, word, value, "bad number");
}

bool parse_policy(struct parser *p, const struct word *word)
{
	char *option = cut(word->text);
	enum policy policy = policy_named(word->text, strlen(word->text));

	if (policy == POLICY_COUNT)
		return parser_fail_at(p, word, word->text, "unknown policy");
	p->rule->treatment = policy_defaults(policy);
	while (option) {
		char *next = cut(option);

		if (!parse_option(p, word, option))
			return false;
		option = next;
	}
	return true;
}
