/*
 * oracle.h - an operation, the list of them that a seed stands for, and the list's text form.
 *
 * An operation is a kind and six numbers, and means the same whatever stands before it in the
 * list: it names files and descriptors by slot, so a shortened list is a list.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stddef.h>
#include <stdio.h>

enum kind {
#define OP(name) OP_##name,
#include "ops.def"
#undef OP
	OP_COUNT
};

enum { SLOTS = 12, FILES = 6, MAPS = 4, ARGS = 6 };

/* File numbers that are none of ours: a missing directory's, a directory, a bad pointer. */
enum { FILE_MISSING = FILES, FILE_DIRECTORY, FILE_FAULT };

/* Slots that are no descriptor. */
enum { SLOT_MINUS_ONE = -1, SLOT_CLOSED = -2, SLOT_AT_FDCWD = -100 };

/* a[4] of read, pread, write, pwrite and aio; RWF flags from RWF_SHIFT up. */
enum {
	FROM_END = 1,    /* a[2] counts from the end of the file */
	BUF_EDGE = 2,    /* the buffer runs into an unmapped page */
	BUF_ALIGNED = 4, /* as O_DIRECT wants it */
	BUF_NULL = 8,
	BAD_COUNT = 16, /* an iovec count that no kernel takes */
	UNSAID = 32,    /* what comes of it is not compared, only what follows */
	RWF_SHIFT = 8,
};

enum { BUF_MAX = 17 << 20 }; /* there is memory for so much */

/* a[4] of copy, sendfile and splice. */
enum { USE_IN = 1, USE_OUT = 2, BAD_FLAGS = 4, BY_NUMBER = 8, BAD_OFFSET = 16 };

/* a[2] of runcopy. */
enum { RUN_COPY, RUN_SENDFILE };

struct op {
	enum kind kind;
	long long a[ARGS];
};

struct list {
	struct op *op;
	size_t count;
	size_t room;
};

/* Appends one operation; ends the program where memory ends. */
void list_add(struct list *list, struct op op);

/* Reads a list's text, one operation a line; 0, or the number of the line that is wrong. */
int list_read(struct list *list, FILE *from);

/* Writes the list's text, which list_read takes back. */
void list_write(const struct list *list, FILE *to);

/* Prints an operation's word and numbers as the list has them, without the newline. */
int op_text(char *to, size_t room, const struct op *op);

/* The number of an operation's word, or -1. */
int kind_of(const char *word);

/* The operations of a seed: COUNT of them, the same on every machine. */
void generate(struct list *list, unsigned long long seed, size_t count);

/* At least COUNT more, as a scene of the seed might go on after what the list has; or begin. */
void generate_more(struct list *list, unsigned long long seed, size_t count);

#endif
