/* rules_scan.c - where rules and words start and end, and what quotes and backslashes protect. */
#include "rules_scan.h"

#include <string.h>

struct letter {
	const char *from; /* in the source, its backslash included */
	char byte;
	bool literal; /* protected */
};

struct scan scan_over(struct span span)
{
	return (struct scan){.at = span.at, .end = span.end};
}

/* Carriage returns are blanks for the sake of files from elsewhere. */
static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *line_end(const struct scan *s)
{
	const char *newline = memchr(s->at, '\n', s->end - s->at);

	return newline ? newline : s->end;
}

/* Takes the next byte, with quotes and backslashes taken off. A last backslash is itself. */
static bool scan_letter(struct scan *s, struct letter *letter)
{
	for (; s->at < s->end && *s->at == '"'; s->at++)
		s->quote = s->quote ? NULL : s->at;
	if (s->at == s->end)
		return false;
	letter->from = s->at;
	letter->literal = s->quote;
	if (*s->at == '\\' && s->at + 1 < s->end) {
		letter->literal = true;
		s->at++;
	}
	letter->byte = *s->at++;
	return true;
}

/* Moves to the next rule, if there is one. */
static void skip_to_rule(struct scan *s, bool comments)
{
	while (s->at < s->end) {
		if (comments && *s->at == '#')
			s->at = line_end(s);
		else if (blank(*s->at) || *s->at == '\n' || *s->at == ';')
			s->at++;
		else
			return;
	}
}

/* The end of the rule that starts here. */
static const char *rule_end(const struct scan *s, bool comments)
{
	struct scan line = {.at = s->at, .end = line_end(s)};
	struct letter letter;
	bool word_starts = true;

	while (scan_letter(&line, &letter)) {
		if (!letter.literal && letter.byte == ';')
			return letter.from;
		if (!letter.literal && comments && letter.byte == '#' && word_starts)
			return letter.from;
		word_starts = !letter.literal && blank(letter.byte);
	}
	return line.end;
}

bool scan_rule(struct scan *source, bool comments, struct span *rule)
{
	skip_to_rule(source, comments);
	if (source->at == source->end)
		return false;
	rule->at = source->at;
	rule->end = source->at = rule_end(source, comments);
	return true;
}

const char *scan_open_quote(struct span rule)
{
	struct scan s = scan_over(rule);
	struct letter letter;

	while (scan_letter(&s, &letter))
		;
	return s.quote;
}

bool scan_word(struct scan *rule, struct span *word)
{
	struct letter letter;

	while (rule->at < rule->end && blank(*rule->at))
		rule->at++;
	word->at = rule->at;
	word->end = rule->end;
	while (scan_letter(rule, &letter))
		if (!letter.literal && blank(letter.byte)) {
			word->end = letter.from;
			break;
		}
	return word->at < word->end;
}

void scan_literal(struct text *out, char byte)
{
	if (byte && strchr("*?[]\\!^-", byte))
		text_byte(out, '\\');
	text_byte(out, byte);
}

/* Appends a letter as a word has it without its quoting. */
static void unquote(const struct letter *letter, struct text *out)
{
	if (letter->literal)
		scan_literal(out, letter->byte);
	else
		text_byte(out, letter->byte);
}

void scan_unquote(struct span word, struct text *out)
{
	struct scan s = scan_over(word);
	struct letter letter;

	while (scan_letter(&s, &letter))
		unquote(&letter, out);
}

const char *scan_origin(struct span word, size_t n)
{
	struct scan s = scan_over(word);
	struct letter letter;
	char memory[2];

	while (scan_letter(&s, &letter)) {
		struct text out = text_over(memory, sizeof memory);

		unquote(&letter, &out);
		if (n < text_length(&out))
			return letter.from;
		n -= text_length(&out);
	}
	return word.end;
}
