/*
 * operations.h - an input of the target operations: a comment line with the policy, and the text
 * of the oracle's list, which tests/oracle/oracle --list takes too.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "diff.h"

#include <stdint.h>

struct input {
	const char *policy;
	struct list list;
};

enum { POLICIES = 14 };

extern const char *const operations_policies[POLICIES];

/* The lines up to the first that is no operation; an unknown policy is the first. Free the list. */
struct input operations_read(const uint8_t *text, size_t n);

/* The text's length; 0 where it has not the room. */
size_t operations_write(const struct input *input, uint8_t *text, size_t room);

/* Puts the places in the library that are reached where libFuzzer and the children see them. */
void operations_cover(void);

#endif
