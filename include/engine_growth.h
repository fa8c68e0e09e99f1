/*
 * engine_growth.h - rules that ask for the size, of files that grow while they are written.
 *
 * A file whose rule may change when it grows has a line: the least size from which another rule
 * may hold. Writers count how far it is (file_grew()); whoever meets the descriptor next asks the
 * rules again. So a file that is left alone has a record all
 * the same where a line may be crossed.
 */
#ifndef NOCACHE_ENGINE_GROWTH_H
#define NOCACHE_ENGINE_GROWTH_H

#include "file.h"
#include "rules.h"

struct statx;

/* What the rules ask for, NULL where none matches; and the next line, INT64_MAX for none. */
const struct treatment *engine_asked_for(int fd, const struct statx *st, enum access access,
					 int64_t *line);

/* Changes how a file is treated; the caller holds the record. */
void engine_treat_anew(struct file *file, int fd, const struct treatment *treatment);

/* The rules were asked with `size`, and nothing changes before `line`. */
void engine_draw_line(struct file *file, int fd, int64_t line, int64_t size);

/* Asks the rules again, if the file has reached its line. */
void engine_ask_again(struct file *file, int fd);

#endif
