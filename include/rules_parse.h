/*
 * rules_parse.h - what the files of the rules parser share: its state, and how it fails.
 *
 * A word is unquoted at the end of the rules' memory. There it is scratch, until parser_keep()
 * or the next word; the memory of a rule that fails is taken back whole.
 */
#ifndef NOCACHE_RULES_PARSE_H
#define NOCACHE_RULES_PARSE_H

#include "rules.h"
#include "rules_scan.h"
#include "text.h"

struct parser {
	struct rules *rules;
	struct rule *rule; /* being filled */
	const struct rules_context *context;
	struct text out; /* where strings go */
	const char *text;
	struct rules_error error;
	void (*complain)(const struct rules_error *error, void *data);
	void *data;
};

struct word {
	struct span raw; /* in the source */
	char *text;      /* unquoted, NUL-terminated; the parser may cut it up */
};

/* Complains about what is at `from` in the source, quoting `word` if there is one; false. */
bool parser_fail(struct parser *p, const char *from, const char *what, const char *word);

/* Complains about `part`, which lies in the text of `word`; false. */
bool parser_fail_at(struct parser *p, const struct word *word, const char *part, const char *what);

/*
 * Fills word->text from word->raw, below `directory` if there is one. False, after a complaint,
 * where there is no room.
 */
bool parser_read(struct parser *p, struct word *word, const char *directory);

/* Makes the text of the word that was read last outlive the next one. */
void parser_keep(struct parser *p);

/*
 * Reads a number of bytes: decimal, with K M G T for powers of 1024, or a percentage `N%ram`
 * where `ram` is not 0. False where it is malformed or does not fit.
 */
bool parse_number(const char *s, uint64_t ram, uint64_t *number);

/* Whether a word has the shape of a condition; if not it is the policy. */
bool parse_is_condition(const char *word);

/* Whether the glob within `word` is one; false after a complaint. */
bool parse_glob(struct parser *p, const struct word *word, const char *glob);

/* Each fills its part of p->rule from a word; false after a complaint. */
bool parse_pattern(struct parser *p, struct word *word);
bool parse_condition(struct parser *p, const struct word *word);
bool parse_policy(struct parser *p, const struct word *word);

#endif
