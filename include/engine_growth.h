/*
 * engine_growth.h - rules that ask for the size, of files that grow while they are written.
 *
 * A file whose rule may change when it grows has a line: the least size from which another rule
 * may hold. Writers count how far it is (file_grew()); whoever meets the descriptor next asks the
 * rules again. So a file that is left alone has a record all the same where a line may be crossed.
 */
#ifndef NOCACHE_ENGINE_GROWTH_H
#define NOCACHE_ENGINE_GROWTH_H

#include "file.h"
#include "rules.h"

struct statx;

/* The rules were asked with `size`, and nothing changes before `line`. */
void engine_draw_line(struct file *file, int fd, int64_t line, int64_t size);

/* Asks the rules again, if the file has reached its line. */
void engine_ask_again(struct file *file, int fd);

#endif
