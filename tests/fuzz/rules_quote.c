/* rules_quote.c - between quotes a byte stands for itself, in a name and in a set. */
#include "fuzz.h"
#include "rules_check.h"

#include <string.h>

enum { LONGEST = 255 }; /* of a name that is tried */

static const struct rules_context context;
static struct rules rules;
static char memory[8 * LONGEST];

static void never(const struct rules_error *error, void *data)
{
	(void)data;
	fprintf(stderr, "%s\n", error->message);
	abort();
}

/* The one rule `before` "NAME" `after`. */
static void parse(const char *before, const char *name, const char *after)
{
	char text[3 * LONGEST], *out = stpcpy(text, before);

	*out++ = '"';
	for (; *name; name++) {
		if (strchr("\"\\", *name))
			*out++ = '\\';
		*out++ = *name;
	}
	*out++ = '"';
	out = stpcpy(out, after);
	rules_begin(&rules, memory, sizeof(memory));
	rules_parse(&rules, text, (size_t)(out - text), "", true, &context, never, NULL);
	HOLDS(rules.count == 1);
}

static bool matches(const char *path)
{
	return rules_match(&rules, &(struct rules_subject){.path = path});
}

static void check_name(const char *name)
{
	char path[LONGEST + 2] = "/", *last = stpcpy(path + 1, name) - 1;

	parse("", name, " off");
	HOLDS(matches(path));
	*last = *last == 'a' ? 'b' : 'a';
	HOLDS(!matches(path));
	*last = '\0';
	HOLDS(!matches(path));
}

static void check_set(const char *name)
{
	char path[3] = "/";

	parse("[x", name, "] off");
	for (int c = 1; c < 256; c++) {
		path[1] = (char)c;
		HOLDS(matches(path) == (c != '/' && (c == 'x' || strchr(name, c))));
	}
}

void rules_check_quotes(const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	if (!*name || strlen(name) > LONGEST)
		return;
	check_name(name);
	check_set(name);
}
