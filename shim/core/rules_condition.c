/* rules_condition.c - the words of a rule between its pattern and its policy. */
#include "rules_parse.h"

#include <string.h>

static const struct {
	const char *prefix;
	enum rule_test test;
} keys[] = {
	{"size>=", TEST_SIZE_AT_LEAST}, {"size<", TEST_SIZE_BELOW},
	{"mode=", TEST_MODE},           {"fs=", TEST_FS},
	{"prog=", TEST_PROG},
};

/* The index of the key that the word starts with, or -1. */
static int find_key(const char *word)
{
	for (int i = 0; i < (int)(sizeof keys / sizeof keys[0]); i++)
		if (text_starts(word, keys[i].prefix))
			return i;
	return -1;
}

static bool read_mode(const char *s, uint64_t *mode)
{
	if (text_equal(s, "r"))
		*mode = ACCESS_READ;
	else if (text_equal(s, "w"))
		*mode = ACCESS_WRITE;
	else if (text_equal(s, "rw"))
		*mode = ACCESS_BOTH;
	else
		return false;
	return true;
}

static bool parse_value(struct parser *p, const struct word *word, const char *value,
			struct condition *condition)
{
	switch (condition->test) {
	case TEST_SIZE_AT_LEAST:
	case TEST_SIZE_BELOW:
		return parse_number(value, p->context->ram, &condition->number) ||
		       parser_fail_at(p, word, value, "bad number");
	case TEST_MODE:
		return read_mode(value, &condition->number) ||
		       parser_fail_at(p, word, value, "unknown mode");
	default:
		condition->glob = value;
		parser_keep(p);
		return parse_glob(p, word, value);
	}
}

bool parse_is_condition(const char *word)
{
	char first = word[strcspn(word, ",=<>")];

	return first && first != ',';
}

bool parse_condition(struct parser *p, const struct word *word)
{
	struct condition *condition = &p->rule->condition[p->rule->conditions];
	int key = find_key(word->text);

	if (key < 0)
		return parser_fail_at(p, word, word->text, "unknown condition");
	if (p->rule->conditions == RULES_CONDITIONS)
		return parser_fail(p, word->raw.at, "too many conditions", NULL);
	condition->test = keys[key].test;
	p->rule->conditions++;
	return parse_value(p, word, word->text + strlen(keys[key].prefix), condition);
}
