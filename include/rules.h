/*
 * rules.h - which treatment a file gets: the rules language of the user, parsed and matched.
 *
 * Pure: no system call, no allocation, no libc beyond mem*. Texts are parsed once, before the
 * program starts; matching is read-only and may run in a signal handler.
 */
#ifndef NOCACHE_RULES_H
#define NOCACHE_RULES_H

#include "policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RULES_MAX = 256, RULES_CONDITIONS = 8 };

/* Bytes of the longest glob and its NUL; a path of PATH_MAX bytes fits. */
enum { RULES_GLOB = 4096 };

enum rule_test { TEST_SIZE_AT_LEAST, TEST_SIZE_BELOW, TEST_MODE, TEST_FS, TEST_PROG };

/* How a program opened a file, for `mode=`; the bits are one access mode each. */
enum access { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_BOTH = 3 };

struct condition {
	enum rule_test test;
	uint64_t number;  /* bytes for the sizes, enum access for the mode */
	const char *glob; /* fs and prog */
};

struct rule {
	const char *pattern; /* glob, NUL-terminated */
	bool whole_path;     /* the pattern is matched against the path, else against the name */
	bool any;            /* the pattern matches every file, as `*` does */
	int conditions;
	struct condition condition[RULES_CONDITIONS];
	struct treatment treatment;
};

/* Parsed rules, in order; the strings live in memory of the caller. */
struct rules {
	int count;
	bool need_path; /* some rule looks at path or name (not so where all patterns are `any`) */
	bool need_fs;   /* some rule looks at the file system's name */
	bool overflow;  /* a rule was left out for lack of room */
	char *memory;   /* room for the strings that are still to come */
	size_t room;
	struct rule rule[RULES_MAX];
};

/* Facts that a text is read with. */
struct rules_context {
	const char *directory; /* working directory, where relative patterns start; NULL: unknown */
	uint64_t ram;          /* bytes that `%ram` is a percentage of; 0: unknown */
};

/* One thing that could not be parsed. */
struct rules_error {
	const char *source; /* as passed to rules_parse() */
	int rule;           /* 1 for the first rule of that source; blank rules are not counted */
	size_t byte;        /* 1 for the first of that source; of what the message is about */
	char message[96];   /* e.g. unknown policy "dierct"; printable, a long word is cut */
};

/* No rules yet; strings will be kept in the `room` bytes at `memory`. */
void rules_begin(struct rules *rules, char *memory, size_t room);

/*
 * Appends the rules in the `n` bytes at `text`: separated by `;` or newline, `#` starts a
 * comment where `comments` is set (a rules file) and it stands at the start of a word. Any
 * bytes will do: a NUL is an error of its rule, a carriage return is a blank. A rule that cannot
 * be parsed is skipped and handed to complain(), once. Returns how many could not be parsed:
 * where that is 0 and `count` is, too, no rule was given at all, and `* auto` holds.
 *
 * A `\` makes the next byte stand for itself, double quotes all bytes up to the next one, in
 * any word, except that nothing protects a newline. A pattern with a `/` that does not start
 * with one is taken from `directory`, unless it starts with `**`: that already stands for any
 * directory (`./` before it binds it to this one). `//`, `/./` and `/../` are resolved.
 * A pattern that ends with a `/` is an error, since no file can match it.
 */
int rules_parse(struct rules *rules, const char *text, size_t n, const char *source, bool comments,
		const struct rules_context *context,
		void (*complain)(const struct rules_error *error, void *data), void *data);

/* The file a rule is asked about. `path` absolute, or NULL where no rule needs it. */
struct rules_subject {
	const char *path;
	const char *fs;
	const char *prog;
	uint64_t size;
	enum access access;
};

/* The treatment of the first rule that matches, or NULL (then the file is left alone). */
const struct treatment *rules_match(const struct rules *rules, const struct rules_subject *file);

/*
 * The least size above the file's from which another rule may hold for it: a line that is drawn by
 * a rule which matches in all but size. INT64_MAX where there is none.
 */
int64_t rules_next_line(const struct rules *rules, const struct rules_subject *file);

/*
 * Whether the whole of `s` matches `glob`, byte by byte: `*` and `?` do not cross `/`, `**`
 * does and between slashes also stands for no directory (`/a/` and `**` and `/b` match `/a/b`),
 * `[...]` is a set with ranges and `!` or `^` for its complement, which never has a `/`, `\`
 * takes the next byte as it is. A set without end matches nothing, and neither does a glob of
 * RULES_GLOB bytes. Time is bounded by the product of the two lengths, whatever the pattern.
 */
bool rules_glob(const char *glob, const char *s);

/* The `[` of a set without end in a glob, or NULL. */
const char *rules_glob_open_set(const char *glob);

#endif
