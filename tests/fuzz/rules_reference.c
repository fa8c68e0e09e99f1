/* rules_reference.c - which rule holds, in the plainest way. */
#include "rules_check.h"

#include <string.h>

/* The bytes that one element of a glob matches, and its length there. */
struct element {
	bool has[256];
	size_t length;
};

static unsigned char plain_byte(const char **s)
{
	if (**s == '\\' && (*s)[1])
		++*s;
	return (unsigned char)*(*s)++;
}

/* Reads the members of a set up to its end; false where there is none. */
static bool read_members(const char **s, bool members[256])
{
	for (bool first = true; first || **s != ']'; first = false) {
		int low, high;

		if (!**s)
			return false;
		low = high = plain_byte(s);
		if (**s == '-' && (*s)[1] && (*s)[1] != ']') {
			++*s;
			high = plain_byte(s);
		}
		for (int c = low; c <= high; c++)
			members[c] = true;
	}
	++*s;
	return true;
}

static void read_set(const char *glob, struct element *element)
{
	bool members[256] = {false}, inverted = glob[1] == '!' || glob[1] == '^';
	const char *s = glob + 1 + inverted;

	if (!read_members(&s, members))
		return;
	for (int c = 1; c < 256; c++)
		element->has[c] = members[c] != inverted && c != '/';
	element->length = (size_t)(s - glob);
}

static struct element read_element(const char *glob)
{
	struct element element = {.length = 1};
	const char *s = glob;

	if (*glob == '[') {
		element.length = 0;
		read_set(glob, &element);
	} else if (*glob == '?') {
		for (int c = 1; c < 256; c++)
			element.has[c] = c != '/';
	} else {
		element.has[plain_byte(&s)] = true;
		element.length = (size_t)(s - glob);
	}
	return element;
}

/* Whether the rest of a glob matches the rest of a text, by their offsets. */
static bool matches[REFERENCE_GLOB + 2][REFERENCE_TEXT + 1];

static bool name_starts(const char *whole, size_t at)
{
	return at == 0 || whole[at - 1] == '/';
}

static bool stars_match(const char *glob, size_t i, const char *s, size_t j)
{
	size_t stars = strspn(glob + i, "*"), rest = i + stars;

	if (matches[rest][j])
		return true;
	if (s[j] && (stars > 1 || s[j] != '/') && matches[i][j + 1])
		return true;
	return stars > 1 && glob[rest] == '/' && name_starts(glob, i) && name_starts(s, j) &&
	       matches[rest + 1][j];
}

static void fill_row(const char *glob, size_t i, const char *s, size_t length)
{
	struct element element = read_element(glob + i);

	for (size_t j = length + 1; j-- > 0;)
		if (glob[i] == '*')
			matches[i][j] = stars_match(glob, i, s, j);
		else
			matches[i][j] = j < length && element.length &&
					element.has[(unsigned char)s[j]] &&
					matches[i + element.length][j + 1];
}

bool reference_glob(const char *glob, const char *s)
{
	size_t last = strlen(glob), length = strlen(s);

	memset(matches, 0, sizeof(matches));
	matches[last][length] = true;
	for (size_t i = last; i-- > 0;)
		fill_row(glob, i, s, length);
	return matches[0][0];
}

static bool is_short(const char *glob, const char *s)
{
	return strlen(glob) <= REFERENCE_GLOB && (!s || strlen(s) <= REFERENCE_TEXT);
}

bool reference_can(const struct rules *rules, const struct rules_subject *file)
{
	for (int i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rule[i];

		if (!is_short(rule->pattern, file->path))
			return false;
		for (int j = 0; j < rule->conditions; j++)
			if (rule->condition[j].glob && !is_short(rule->condition[j].glob, NULL))
				return false;
	}
	return true;
}

static bool holds(const struct condition *condition, const struct rules_subject *file)
{
	switch (condition->test) {
	case TEST_SIZE_AT_LEAST:
		return file->size >= condition->number;
	case TEST_SIZE_BELOW:
		return file->size < condition->number;
	case TEST_MODE:
		return (uint64_t)file->access == condition->number;
	case TEST_FS:
		return file->fs && reference_glob(condition->glob, file->fs);
	default:
		return file->prog && reference_glob(condition->glob, file->prog);
	}
}

int reference_match(const struct rules *rules, const struct rules_subject *file)
{
	for (int i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rule[i];
		bool all = true;

		for (int j = 0; j < rule->conditions; j++)
			all = all && holds(&rule->condition[j], file);
		if (all && reference_glob(rule->pattern, strchr(rule->pattern, '/')
								 ? file->path
								 : strrchr(file->path, '/') + 1))
			return i;
	}
	return -1;
}
