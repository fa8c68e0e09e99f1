/*
 * strings.c - libc's string functions, for this library alone. It starts before the program's own
 * libraries, and what a program has in their place may not work by then: the interceptors of
 * clang's ThreadSanitizer call through pointers that are still null (tests/adversity, checked.c).
 * memcpy, memmove and memset are libc's: those work at any time, and their speed matters.
 */
#include <string.h>

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

void *memchr(const void *s, int c, size_t n)
{
	for (const unsigned char *p = s; n; n--, p++)
		if (*p == (unsigned char)c)
			return (void *)p;
	return NULL;
}

size_t strlen(const char *s)
{
	const char *end = s;

	for (; *end; end++)
		__asm__(""); /* or the compiler makes a call of strlen of it */
	return (size_t)(end - s);
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n && *a && *a == *b; n--, a++, b++)
		;
	return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}

char *strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}

char *strrchr(const char *s, int c)
{
	char *found = NULL;

	for (; (s = strchr(s, c)); s++) {
		found = (char *)s;
		if (!*s)
			break;
	}
	return found;
}

size_t strspn(const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] && strchr(set, s[n]))
		n++;
	return n;
}

size_t strcspn(const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] && !strchr(set, s[n]))
		n++;
	return n;
}
