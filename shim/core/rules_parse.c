/* rules_parse.c - from the text of the user to rules: one rule after the other, and errors. */
#include "rules_parse.h"

#include <string.h>

enum { QUOTED = 48 }; /* most bytes of a word that a message quotes */

static bool printable(char c)
{
	return (unsigned char)c >= ' ' && c != 0x7f;
}

static void quote(struct text *t, const char *word)
{
	text_string(t, " \"");
	for (size_t i = 0; word[i] && i < QUOTED; i++)
		text_byte(t, printable(word[i]) ? word[i] : '?');
	text_string(t, strlen(word) > QUOTED ? "...\"" : "\"");
}

bool parser_fail(struct parser *p, const char *from, const char *what, const char *word)
{
	struct text t = text_over(p->error.message, sizeof p->error.message);

	text_string(&t, what);
	if (word)
		quote(&t, word);
	text_end(&t);
	p->error.byte = from - p->text + 1;
	p->complain(&p->error, p->data);
	return false;
}

bool parser_fail_at(struct parser *p, const struct word *word, const char *part, const char *what)
{
	return parser_fail(p, scan_origin(word->raw, part - word->text), what, part);
}

/* Appends a directory's path and a slash as a glob that matches just that. */
static void put_directory(struct text *out, const char *directory)
{
	while (*directory)
		scan_literal(out, *directory++);
	text_byte(out, '/');
}

bool parser_read(struct parser *p, struct word *word, const char *directory)
{
	struct text out = text_over(p->out.at, p->out.end - p->out.at);

	word->text = out.at;
	if (directory)
		put_directory(&out, directory);
	scan_unquote(word->raw, &out);
	text_end(&out);
	if (!out.cut)
		return true;
	p->rules->overflow = true;
	return parser_fail(p, word->raw.at, "no room", NULL);
}

void parser_keep(struct parser *p)
{
	p->out.at += strlen(p->out.at) + 1;
}

static bool parse_end(struct parser *p, struct scan *words)
{
	struct word word;

	if (!scan_word(words, &word.raw))
		return true;
	return parser_read(p, &word, NULL) &&
	       parser_fail_at(p, &word, word.text, "unexpected word");
}

/* Reads what follows the pattern: conditions and a policy. */
static bool parse_words(struct parser *p, struct scan *words, const char *rule)
{
	struct word word;

	while (scan_word(words, &word.raw)) {
		if (!parser_read(p, &word, NULL))
			return false;
		if (!parse_is_condition(word.text))
			return parse_policy(p, &word) && parse_end(p, words);
		if (!parse_condition(p, &word))
			return false;
	}
	return parser_fail(p, rule, "missing policy", NULL);
}

/* Complains about what spoils a rule as a whole. */
static bool check_bytes(struct parser *p, struct span rule)
{
	const char *nul = memchr(rule.at, '\0', rule.end - rule.at);
	const char *open = scan_open_quote(rule);

	if (nul)
		return parser_fail(p, nul, "NUL byte", NULL);
	if (open)
		return parser_fail(p, open, "unterminated quote", NULL);
	return true;
}

static bool check_count(struct parser *p, struct span rule)
{
	if (p->rules->count < RULES_MAX)
		return true;
	p->rules->overflow = true;
	return parser_fail(p, rule.at, "too many rules", NULL);
}

static bool parse_rule(struct parser *p, struct span rule)
{
	struct scan words = scan_over(rule);
	struct word pattern;

	if (!check_count(p, rule) || !check_bytes(p, rule))
		return false;
	p->rule = &p->rules->rule[p->rules->count];
	*p->rule = (struct rule){0};
	p->out = text_over(p->rules->memory, p->rules->room);
	return scan_word(&words, &pattern.raw) && parser_read(p, &pattern, NULL) &&
	       parse_pattern(p, &pattern) && parse_words(p, &words, rule.at);
}

/* Makes the rule that was parsed one of the rules. */
static void accept_rule(struct rules *rules, const struct rule *rule, const struct text *out)
{
	rules->count++;
	rules->memory = out->at;
	rules->room = out->end - out->at;
	rules->need_path |= !rule->any;
	for (int i = 0; i < rule->conditions; i++)
		rules->need_fs |= rule->condition[i].test == TEST_FS;
}

void rules_begin(struct rules *rules, char *memory, size_t room)
{
	memset(rules, 0, offsetof(struct rules, rule));
	rules->memory = memory;
	rules->room = room;
}

int rules_parse(struct rules *rules, const char *text, size_t n, const char *source, bool comments,
		const struct rules_context *context,
		void (*complain)(const struct rules_error *error, void *data), void *data)
{
	struct parser p = {.rules = rules,
			   .context = context,
			   .text = text,
			   .error.source = source,
			   .complain = complain,
			   .data = data};
	struct scan whole = scan_over((struct span){text, text + n});
	struct span rule;
	int bad = 0;

	while (scan_rule(&whole, comments, &rule)) {
		p.error.rule++;
		if (parse_rule(&p, rule))
			accept_rule(rules, p.rule, &p.out);
		else
			bad++;
	}
	return bad;
}
