/*
 * text.h - composing and reading short texts without libc.
 *
 * A `struct text` writes into memory of the caller and never past it: what does not fit is
 * cut and remembered in `cut`. Nothing here allocates, locks or sets errno, so all of it
 * may be called from a signal handler.
 */
#ifndef NOCACHE_TEXT_H
#define NOCACHE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *start;
	char *at;  /* where the next byte goes */
	char *end; /* one past the last usable byte */
	bool cut;  /* something did not fit */
};

/* A writer over `size` bytes at `memory`. */
struct text text_over(char *memory, size_t size);

/* Bytes written so far. */
size_t text_length(const struct text *t);

/* Appends one byte, `n` bytes, a string. */
void text_byte(struct text *t, char c);
void text_bytes(struct text *t, const char *bytes, size_t n);
void text_string(struct text *t, const char *s);

/* Appends a number in decimal; text_padded() fills with zeros up to `width` digits. */
void text_unsigned(struct text *t, uint64_t n);
void text_signed(struct text *t, int64_t n);
void text_padded(struct text *t, uint64_t n, int width);

/* Ends the text with a NUL that is not counted; the last byte gives way where there is no room. */
const char *text_end(struct text *t);

/*
 * Reads a decimal number at *s and moves *s past it. Returns false, and leaves *s, where
 * there is no digit or the number does not fit 64 bits.
 */
bool text_read_unsigned(const char **s, uint64_t *n);

/* Whether two strings are the same; whether one begins with the other. */
bool text_equal(const char *a, const char *b);
bool text_starts(const char *s, const char *prefix);

#endif
