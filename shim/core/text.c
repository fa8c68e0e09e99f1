/* text.c - composing and reading short texts without libc; callable from signal handlers. */
#include "text.h"

#include <string.h>

enum { DIGITS = 20 }; /* of the largest uint64_t */

struct text text_over(char *memory, size_t size)
{
	return (struct text){.start = memory, .at = memory, .end = memory + size};
}

size_t text_length(const struct text *t)
{
	return t->at - t->start;
}

void text_byte(struct text *t, char c)
{
	text_bytes(t, &c, 1);
}

void text_bytes(struct text *t, const char *bytes, size_t n)
{
	size_t room = t->end - t->at;

	if (n > room) {
		n = room;
		t->cut = true;
	}
	memcpy(t->at, bytes, n);
	t->at += n;
}

void text_string(struct text *t, const char *s)
{
	text_bytes(t, s, strlen(s));
}

void text_unsigned(struct text *t, uint64_t n)
{
	text_padded(t, n, 1);
}

void text_signed(struct text *t, int64_t n)
{
	if (n < 0)
		text_byte(t, '-');
	text_unsigned(t, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

void text_padded(struct text *t, uint64_t n, int width)
{
	char digits[DIGITS];
	int at = DIGITS;

	do {
		digits[--at] = '0' + n % 10;
		n /= 10;
	} while (n);
	for (int length = DIGITS - at; length < width; length++)
		text_byte(t, '0');
	text_bytes(t, digits + at, DIGITS - at);
}

const char *text_end(struct text *t)
{
	if (t->at == t->end) {
		t->cut = true;
		if (t->start == t->end)
			return "";
		t->at--;
	}
	*t->at = '\0';
	return t->start;
}

static bool read_digit(char c, uint64_t *n)
{
	uint64_t digit = c - '0';

	if (*n > (UINT64_MAX - digit) / 10)
		return false;
	*n = *n * 10 + digit;
	return true;
}

bool text_read_unsigned(const char **s, uint64_t *n)
{
	const char *at = *s;
	uint64_t sum = 0;

	for (; *at >= '0' && *at <= '9'; at++)
		if (!read_digit(*at, &sum))
			return false;
	if (at == *s)
		return false;
	*s = at;
	*n = sum;
	return true;
}

bool text_equal(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

bool text_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}
