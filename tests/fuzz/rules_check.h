/*
 * rules_check.h - a second opinion on the rules, for the target rules.c.
 *
 * Written from libnocache(7) and rules.h in another way than the parser and the matcher are.
 */
#ifndef RULES_CHECK_H
#define RULES_CHECK_H

#include "rules.h"

/* Bytes of the longest glob and text that reference_glob() takes. */
enum { REFERENCE_GLOB = 80, REFERENCE_TEXT = 120 };

/* What rules_glob() should say, by a table of all pairs of rests. */
bool reference_glob(const char *glob, const char *s);

/* Whether all globs that the subject needs are short enough for the reference. */
bool reference_can(const struct rules *rules, const struct rules_subject *file);

/* The index of the first rule that holds, or -1. */
int reference_match(const struct rules *rules, const struct rules_subject *file);

/* Writes the rules as a user would, one a line; returns how many bytes, 0 where `room` is short. */
size_t rules_print(const struct rules *rules, char *out, size_t room);

/* Checks that the path's name, which has no newline, is taken as it is where it is quoted. */
void rules_check_quotes(const char *path);

/* Whether both hold the same rules, wherever their strings are. */
bool rules_same(const struct rules *one, const struct rules *other);

#endif
