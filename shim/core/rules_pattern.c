/* rules_pattern.c - the globs of a rule, first of all the one that says which files it is about. */
#include "rules_parse.h"

#include <string.h>

static bool check_length(struct parser *p, const struct word *word, const char *glob)
{
	return strlen(glob) < RULES_GLOB || parser_fail_at(p, word, glob, "pattern too long");
}

bool parse_glob(struct parser *p, const struct word *word, const char *glob)
{
	const char *open = rules_glob_open_set(glob);

	if (!*glob)
		return parser_fail_at(p, word, glob, "empty pattern");
	if (open)
		return parser_fail_at(p, word, open, "unterminated set");
	return check_length(p, word, glob);
}

/* A directory's pattern is a mistake better told: it would match nothing, not what is below. */
static bool check_end(struct parser *p, const struct word *word)
{
	return word->text[strlen(word->text) - 1] != '/' ||
	       parser_fail_at(p, word, word->text, "no file can be called");
}

/* Puts the working directory before a pattern that depends on it. */
static bool make_absolute(struct parser *p, struct word *word)
{
	const char *directory = p->context->directory;

	if (!strchr(word->text, '/') || *word->text == '/' || text_starts(word->text, "**"))
		return true;
	if (!directory)
		return parser_fail_at(p, word, word->text, "no working directory for");
	return parser_read(p, word, directory) && check_length(p, word, word->text);
}

static char *parent(const char *root, char *end)
{
	while (end > root && *--end != '/')
		;
	return end;
}

/*
 * Resolves `//`, `/./` and `/../` in place: the paths to be matched have none. Only the root ends
 * with a `/`.
 */
static void clean(char *path)
{
	const char *root = path;
	char *out = path;

	while (*path) {
		char *name = path + strspn(path, "/");
		size_t n = strcspn(name, "/");

		path = name + n;
		if (n == 2 && memcmp(name, "..", n) == 0) {
			out = parent(root, out);
		} else if (n > 1 || *name != '.') {
			*out++ = '/';
			memmove(out, name, n);
			out += n;
		}
	}
	if (out == root)
		*out++ = '/';
	*out = '\0';
}

/* Makes an absolute pattern one that paths can match; a set may have lost its end to a `..`. */
static bool resolve(struct parser *p, const struct word *word)
{
	if (*word->text != '/')
		return true;
	clean(word->text);
	return check_end(p, word) && (!rules_glob_open_set(word->text) ||
				      parser_fail_at(p, word, word->text, "unterminated set"));
}

/* Whether an absolute pattern or one without `/` leaves no file out. */
static bool matches_all(const char *pattern)
{
	return pattern[strspn(pattern, "*")] == '\0' || text_equal(pattern, "/**");
}

bool parse_pattern(struct parser *p, struct word *word)
{
	if (!parse_glob(p, word, word->text) || !check_end(p, word) || !make_absolute(p, word) ||
	    !resolve(p, word))
		return false;
	p->rule->pattern = word->text;
	p->rule->whole_path = strchr(word->text, '/');
	p->rule->any = matches_all(word->text);
	parser_keep(p);
	return true;
}
