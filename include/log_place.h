/*
 * log_place.h - where log records go.
 *
 * A path is opened anew for every record and nothing is held open: the program may close every
 * descriptor it likes, and a log that was renamed is followed by a new one of its name. The path is
 * looked up as the program would, in its root directory and with its rights of that moment. Only
 * for `stderr` a duplicate of it is kept (close-on-exec, a high number): it outlives the program's
 * own, so who waits for the end of that pipe waits for the process.
 *
 * The program does not see a write of ours fail: no signal reaches it (signal(7): SIGPIPE,
 * SIGXFSZ), and of a record that a full disk took a part of, that part is taken back.
 */
#ifndef NOCACHE_LOG_PLACE_H
#define NOCACHE_LOG_PLACE_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes that log_place_write() and log_place_try() need for a path. */
enum { LOG_PLACE_ROOM = 4096 };

/*
 * Sets the place: `stderr`, or a path in which `%p` stands for the pid, taken from `directory`
 * where it is relative. NULL or empty: there is none. Standard error is remembered in any case.
 */
void log_place_begin(const char *destination, const char *directory);

/* Whether there is a place. */
bool log_place_is_set(void);

/* Tries whether it can be written; -errno if not. */
long log_place_try(char *scratch);

/* One write of the whole line, or nothing. */
void log_place_write(const struct text *line, char *scratch);

/* Writes a line to standard error, if that is still what it was at the start. */
void log_place_complain(const struct text *line);

#endif
