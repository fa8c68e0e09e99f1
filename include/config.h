/*
 * config.h - what the user asked for: rules, log, or nothing at all.
 *
 * Read once at start, before the program runs; read-only from then on.
 */
#ifndef NOCACHE_CONFIG_H
#define NOCACHE_CONFIG_H

#include "rules.h"

#include <stdbool.h>

/* A variable of the environment. */
struct setting {
	const char *value; /* NULL where it is not set */
	bool said;         /* a process before us complained of it: it says no more */
	bool bad;          /* there was something to complain of */
};

/* The environment as found at start. */
struct environment {
	struct setting rules;      /* NOCACHE_RULES */
	struct setting rules_file; /* NOCACHE_RULES_FILE */
	struct setting log;        /* NOCACHE_LOG */
	struct setting log_format; /* NOCACHE_LOG_FORMAT */
	const char *prog;          /* name of the running program */
};

struct config {
	struct rules rules;
	bool need_size;     /* some rule asks for the file's size */
	bool need_mode;     /* some rule asks how the program opened the file */
	bool all_buffered;  /* from every file */
	bool any_relaxed;   /* some rule lets tiny requests be gathered */
	bool nothing_to_do; /* the rules leave every file alone */
	const char *prog;
};

extern struct config config;

/* Reads the user's wishes. What cannot be understood is said, and the setting turns `bad`. */
void config_begin(struct environment *environment);

#endif
