/*
 * test_rules_fuzz.c - whatever bytes rules are made of, parsing and matching keep to their
 * memory. Mutates valid rules, always in the same way; sanitizers see what the asserts do not.
 */
#include "rules.h"

#include "unit.h"

#include <string.h>

enum { ROUNDS = 200000, TEXT = 96, ROOM = 160 };

static const char *const seeds[] = {
	"*.iso direct,block=4M,depth=2;* auto",
	"\"/var/lib/my db\"/** size>=50%ram mode=rw off # why\n* observe",
	"./**/x\\ [a-z]? fs=ext* prog=rsync dontneed,window=8M,nokeep",
	"sub/../*.img size<18446744073709551615 direct,relaxed,keep;a[!]b] dsync",
	"# nothing\r\n**/tmp/* mode=w size<4T buffered\n\\*\\;\"#\" noreuse",
	"* size<1 size<2 size<3 size<4 size<5 size<6 size<7 size<8 off",
};

static const char tokens[] = "*?[]!-\\\"/.;,#\n \t\r=<>%0159KTramsizeofx";

static char text_memory[TEXT];
static char rules_memory[ROOM];
static struct rules rules;

/* What the parser is at, for complain(). */
static struct round {
	const char *text;
	size_t n;
	int complaints;
} round_now;

static uint64_t random_state = 88172645463325252;

static unsigned random_below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % n;
}

static char random_byte(void)
{
	return random_below(8) ? tokens[random_below(sizeof tokens - 1)] : (char)random_below(256);
}

/* Puts a byte in, takes one out, or changes one; `n` bytes at `s` become as many as it returns. */
static size_t mutate(char *s, size_t n)
{
	size_t at = random_below(n + 1);

	switch (random_below(3)) {
	case 0:
		if (n < TEXT) {
			memmove(s + at + 1, s + at, n - at);
			s[at] = random_byte();
			return n + 1;
		}
		return n;
	case 1:
		if (at < n) {
			memmove(s + at, s + at + 1, n - at - 1);
			return n - 1;
		}
		return n;
	default:
		if (at < n)
			s[at] = random_byte();
		return n;
	}
}

/* Makes a text that ends with its memory, so that reading on is seen. */
static void new_text(void)
{
	const char *seed = seeds[random_below(sizeof seeds / sizeof seeds[0])];
	size_t n = strlen(seed);
	char s[TEXT];

	memcpy(s, seed, n);
	for (int times = random_below(6); times >= 0; times--)
		n = mutate(s, n);
	round_now = (struct round){.text = text_memory + TEXT - n, .n = n};
	memcpy(text_memory + TEXT - n, s, n);
}

static void check_error(const struct rules_error *error, void *data)
{
	UNIT_HOLDS(data == &round_now);
	round_now.complaints++;
	UNIT_HOLDS(error->rule >= 1);
	UNIT_HOLDS(error->byte >= 1 && error->byte <= round_now.n + 1);
	UNIT_HOLDS(memchr(error->message, '\0', sizeof error->message));
	UNIT_HOLDS(*error->message);
	for (const char *c = error->message; *c; c++)
		UNIT_HOLDS((unsigned char)*c >= ' ' && *c != 0x7f);
}

/* A string of a rule lies in the memory that is used up, with its NUL. */
static void check_string(const char *s)
{
	UNIT_HOLDS(s >= rules_memory && s < rules.memory);
	UNIT_HOLDS(memchr(s, '\0', rules.memory - s));
}

static void check_rule(const struct rule *rule)
{
	check_string(rule->pattern);
	UNIT_HOLDS(rule->whole_path == (strchr(rule->pattern, '/') != NULL));
	UNIT_HOLDS(rule->conditions >= 0 && rule->conditions <= RULES_CONDITIONS);
	for (int i = 0; i < rule->conditions; i++)
		if (rule->condition[i].test == TEST_FS || rule->condition[i].test == TEST_PROG)
			check_string(rule->condition[i].glob);
	UNIT_HOLDS((unsigned)rule->treatment.policy < POLICY_COUNT);
	UNIT_HOLDS(rule->treatment.window && rule->treatment.block && rule->treatment.depth);
}

static void check_rules(void)
{
	UNIT_HOLDS(rules.memory >= rules_memory);
	UNIT_HOLDS(rules.memory + rules.room == rules_memory + ROOM);
	for (int i = 0; i < rules.count; i++)
		check_rule(&rules.rule[i]);
}

static void check_match(void)
{
	const struct rules_subject file = {.path = "/home/me/x/b [z].iso",
					   .fs = "ext4",
					   .prog = "rsync",
					   .access = ACCESS_READ};
	const struct treatment *found = rules_match(&rules, &file);

	UNIT_HOLDS(!found || (found >= &rules.rule[0].treatment &&
			      found <= &rules.rule[rules.count - 1].treatment));
}

START_TEST(mutated_rules_keep_to_their_memory)
{
	const struct rules_context context = {.directory = "/home/me", .ram = 1 << 30};
	int rules_seen = 0, complaints_seen = 0;
	char *start;
	int bad;

	for (int i = 0; i < ROUNDS; i++) {
		new_text();
		start = rules_memory + (i & 2 ? random_below(ROOM) : 0);
		rules_begin(&rules, start, rules_memory + ROOM - start);
		bad = rules_parse(&rules, round_now.text, round_now.n, "fuzz", i & 1, &context,
				  check_error, &round_now);
		UNIT_HOLDS(bad == round_now.complaints);
		check_rules();
		check_match();
		rules_seen += rules.count;
		complaints_seen += round_now.complaints;
	}
	ck_assert_int_gt(rules_seen, ROUNDS / 3);
	ck_assert_int_gt(complaints_seen, ROUNDS / 4);
}
END_TEST

START_TEST(mutated_globs_end_within_their_text)
{
	for (int i = 0; i < ROUNDS; i++) {
		char *glob, *end = text_memory + TEXT - 1;

		new_text();
		*end = '\0';
		glob = end - round_now.n / 2;
		rules_glob(glob, "/home/me/x/b [z].iso");
		UNIT_HOLDS(!rules_glob_open_set(glob) || *rules_glob_open_set(glob) == '[');
	}
}
END_TEST

UNIT_MAIN("rules_fuzz", mutated_rules_keep_to_their_memory, mutated_globs_end_within_their_text)
