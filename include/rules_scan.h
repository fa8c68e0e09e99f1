/*
 * rules_scan.h - where rules and words start and end, and what quotes and backslashes protect.
 *
 * Between double quotes, and after a backslash (also between quotes), a byte stands for itself:
 * it neither ends a word or a rule nor means anything in a glob. Only a newline cannot be
 * protected, so that a forgotten quote spoils one line and not all that follow. Positions are
 * always those of the source, so that an error can point at what the user wrote.
 */
#ifndef NOCACHE_RULES_SCAN_H
#define NOCACHE_RULES_SCAN_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the source, from `at` up to `end`. */
struct span {
	const char *at;
	const char *end;
};

/* A reader of a source. */
struct scan {
	const char *at;
	const char *end;
	const char *quote; /* the quote that is open, or NULL */
};

/* A reader at the start of `span`. */
struct scan scan_over(struct span span);

/*
 * Takes the next rule: blank ones are passed over, and so are comments, which a `#` at the
 * start of a word begins where `comments` is set. False where none is left.
 */
bool scan_rule(struct scan *source, bool comments, struct span *rule);

/* The quote that stays open in a rule, or NULL. */
const char *scan_open_quote(struct span rule);

/* Takes the next word of a rule, as it is written. False where none is left. */
bool scan_word(struct scan *rule, struct span *word);

/*
 * Appends a word without its quoting. Protected bytes that a glob gives a meaning keep a
 * backslash.
 */
void scan_unquote(struct span word, struct text *out);

/* Where the source has byte `n` of the unquoted word, or the end of the word. */
const char *scan_origin(struct span word, size_t n);

/* Appends a byte so that a glob takes it as it is. */
void scan_literal(struct text *out, char byte);

#endif
