/*
 * log.h - the log's records, and the figures of the process and the machine.
 *
 * Every record is one line, written to the place of log_place.h. One that cannot be written is
 * dropped; the record of the process counts it among its files all the same.
 */
#ifndef NOCACHE_LOG_H
#define NOCACHE_LOG_H

#include "file.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets where records go, as log_place_begin() does, and takes the process's first figures. */
void log_begin(const char *destination, const char *directory, const char *prog);

/* Records are JSON objects from now on. */
void log_as_json(void);

/* Whether records are wanted at all. */
bool log_wanted(void);

/* Tries whether the log can be written; -errno if not. */
long log_try(void);

/* In the child of fork(2): figures start anew. */
void log_forked(void);

/* Writes the record of a file whose descriptor `fd` is still open. */
void log_file(struct file *file, int fd);

/* Adds the file's counters to the process's, without a record. */
void log_absorb(const struct file *file);

/* Writes the record of the process. */
void log_process(void);

#endif
