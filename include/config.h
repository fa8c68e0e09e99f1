/*
 * config.h - what the user asked for: rules, log, or nothing at all.
 *
 * Read once at start, before the program runs; read-only from then on.
 */
#ifndef NOCACHE_CONFIG_H
#define NOCACHE_CONFIG_H

#include "rules.h"

#include <stdbool.h>

/* The environment as found at start; NULL for what is not set. */
struct environment {
	char *rules;            /* NOCACHE_RULES; rules that were complained of are blanked */
	const char *rules_file; /* NOCACHE_RULES_FILE */
	const char *log;        /* NOCACHE_LOG */
	const char *log_format; /* NOCACHE_LOG_FORMAT */
	const char *prog;       /* name of the running program */
};

struct config {
	struct rules rules;
	bool need_mode;     /* some rule asks how the program opened the file */
	bool any_buffered;  /* some rule takes O_DIRECT away */
	bool all_buffered;  /* from every file */
	bool nothing_to_do; /* the rules leave every file alone */
	const char *prog;
};

extern struct config config;

/* Reads the user's wishes. What cannot be understood is said once per process tree. */
void config_begin(struct environment *environment);

#endif
