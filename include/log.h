/*
 * log.h - where log records go, and the figures of the process and the machine.
 *
 * Every record opens the log anew and is one write; nothing is held open, so a program may close
 * every descriptor it likes. Only for the log `stderr` a duplicate of it is kept (close-on-exec, a
 * high number): it outlives the program's own, so who waits for the end of that pipe waits for the
 * process. A record that cannot be written is dropped.
 */
#ifndef NOCACHE_LOG_H
#define NOCACHE_LOG_H

#include "file.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Sets the destination: `stderr`, or a path in which `%p` stands for the pid, taken from
 * `directory` where it is relative. NULL or empty: no log. Takes the process's first figures.
 */
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

/* Writes one line of ours to standard error, if that is still what it was at the start. */
void log_complain(const char *line, size_t n);

#endif
