/*
 * glob.c - wildcards over a whole path.
 *
 * The glob is walked as a set of states, one bit for each of its offsets that the text read so
 * far may have reached, and the text is read once. So there is no backtracking, and no pattern
 * takes longer than the product of the two lengths (test_glob.c, many_stars_take_no_time).
 * A run of stars is only ever entered at its first one.
 */
#include "rules.h"

#include <string.h>

enum { WORD_BITS = 8 * sizeof(unsigned long), WORDS = RULES_GLOB / WORD_BITS };

struct states {
	unsigned long word[WORDS];
};

static void states_clear(struct states *states, size_t last)
{
	memset(states->word, 0, (last / WORD_BITS + 1) * sizeof states->word[0]);
}

static void states_add(struct states *states, size_t at)
{
	states->word[at / WORD_BITS] |= 1ul << at % WORD_BITS;
}

static bool states_have(const struct states *states, size_t at)
{
	return states->word[at / WORD_BITS] >> at % WORD_BITS & 1;
}

/* The first state from `at` on, or `end`. */
static size_t states_from(const struct states *states, size_t at, size_t end)
{
	while (at < end) {
		unsigned long rest = states->word[at / WORD_BITS] >> at % WORD_BITS;

		if (rest)
			return at + __builtin_ctzl(rest);
		at += WORD_BITS - at % WORD_BITS;
	}
	return end;
}

/* The byte at *s, which a backslash may stand before; moves *s past it. */
static unsigned char set_byte(const char **s)
{
	if (**s == '\\' && (*s)[1])
		++*s;
	return *(*s)++;
}

/* The member at *s, a byte or a range, moving *s past it. */
static bool set_member(const char **s, unsigned char c)
{
	unsigned char low = set_byte(s), high = low;

	if (**s == '-' && (*s)[1] && (*s)[1] != ']') {
		++*s;
		high = set_byte(s);
	}
	return low <= c && c <= high;
}

/* The length of the set that starts at `set`, 0 where it has no end; whether it has `c`. */
static size_t set_read(const char *set, unsigned char c, bool *has)
{
	const char *s = set + 1;
	bool inverted = *s == '!' || *s == '^';

	s += inverted;
	*has = inverted;
	do {
		if (!*s)
			return 0;
		if (set_member(&s, c))
			*has = !inverted;
	} while (*s != ']');
	return s + 1 - set;
}

static size_t set_eats(const char *set, char c)
{
	bool has;
	size_t length = set_read(set, c, &has);

	return has && c != '/' ? length : 0;
}

/* The length of what stands at `glob`, no star, where it matches `c`; else 0. */
static size_t glob_eats(const char *glob, char c)
{
	if (*glob == '?')
		return c != '/';
	if (*glob == '[')
		return set_eats(glob, c);
	if (*glob == '\\' && glob[1])
		return glob[1] == c ? 2 : 0;
	return *glob == c;
}

/*
 * Adds the states that are reached when stars stand for nothing. Where a name starts, after the
 * byte `before`, two stars may stand for no directory, and then the slash behind them goes, too.
 */
static void skip_stars(struct states *now, const char *glob, size_t last, char before)
{
	for (size_t i = states_from(now, 0, last); i < last; i = states_from(now, i + 1, last)) {
		size_t stars = strspn(glob + i, "*");

		if (stars)
			states_add(now, i + stars);
		if (stars > 1 && glob[i + stars] == '/' && before == '/')
			states_add(now, i + stars + 1);
	}
}

/* Fills `next` with the states after `c`; whether there is one. */
static bool read_byte(const struct states *now, struct states *next, const char *glob, size_t last,
		      char c)
{
	bool alive = false;

	states_clear(next, last);
	for (size_t i = states_from(now, 0, last); i < last; i = states_from(now, i + 1, last)) {
		size_t stars = strspn(glob + i, "*");
		size_t eaten = stars ? 0 : glob_eats(glob + i, c);

		if (eaten || stars > 1 || (stars && c != '/')) {
			states_add(next, i + eaten);
			alive = true;
		}
	}
	return alive;
}

bool rules_glob(const char *glob, const char *s)
{
	struct states states[2];
	size_t last = strlen(glob);
	int now = 0;

	if (last >= RULES_GLOB)
		return false;
	states_clear(&states[now], last);
	states_add(&states[now], 0);
	skip_stars(&states[now], glob, last, '/');
	for (; *s; s++, now = !now) {
		if (!read_byte(&states[now], &states[!now], glob, last, *s))
			return false;
		skip_stars(&states[!now], glob, last, *s);
	}
	return states_have(&states[now], last);
}

/* The length of what stands at `glob`, 0 for a set without end. */
static size_t glob_length(const char *glob)
{
	bool has;

	if (*glob == '[')
		return set_read(glob, 0, &has);
	return *glob == '\\' && glob[1] ? 2 : 1;
}

const char *rules_glob_open_set(const char *glob)
{
	for (size_t length; *glob; glob += length) {
		length = glob_length(glob);
		if (!length)
			return glob;
	}
	return NULL;
}
