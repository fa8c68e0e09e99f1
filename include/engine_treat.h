/* engine_treat.h - what is done on a file: from a wish and facts to a policy. */
#ifndef NOCACHE_ENGINE_TREAT_H
#define NOCACHE_ENGINE_TREAT_H

#include "file.h"
#include "rules.h"

struct statx;

/*
 * What the rules ask for, NULL where none matches; and the size from which that may change
 * (engine_growth.h), INT64_MAX for none.
 */
const struct treatment *engine_asked_for(int fd, const struct statx *st, enum access access,
					 int64_t *line);

/* What is done where `asked` is asked, and why if it is something else. */
enum policy engine_choose(enum policy asked, bool storage, enum reason *reason);

/* Writes the rule's wish (NULL: no rule matches) and what is done about it into a new record. */
void engine_treat(struct file *file, int fd, const struct treatment *treatment, bool storage);

/* The same for a record that is in use; the caller holds it. */
void engine_treat_anew(struct file *file, int fd, const struct treatment *treatment);

/* Fills in what was cached before the program came; `blind` as in struct file. */
void engine_learn(struct file *file, int fd, const struct statx *st, bool blind);

#endif
