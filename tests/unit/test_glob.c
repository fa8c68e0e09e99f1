/* test_glob.c - what wildcards match, also against slower and simpler matchers. */
#include "rules.h"

#include "unit.h"

#include <fnmatch.h>
#include <string.h>

#define MATCHES(glob, s) ck_assert_msg(rules_glob(glob, s), "%s should match %s", glob, s)
#define DIFFERS(glob, s) ck_assert_msg(!rules_glob(glob, s), "%s should not match %s", glob, s)

START_TEST(bytes_match_themselves_from_the_first_to_the_last)
{
	MATCHES("a.iso", "a.iso");
	DIFFERS("a.iso", "a.is");
	DIFFERS("a.iso", "a.iso2");
	DIFFERS("a.iso", "ba.iso");
	DIFFERS("a.iso", "A.iso");
	MATCHES("caf\xc3\xa9", "caf\xc3\xa9");
}
END_TEST

START_TEST(empty_glob_matches_only_the_empty_text)
{
	MATCHES("", "");
	DIFFERS("", "a");
	DIFFERS("a", "");
}
END_TEST

START_TEST(star_matches_anything_but_a_slash)
{
	MATCHES("*", "");
	MATCHES("*", ".hidden");
	MATCHES("*.iso", ".iso");
	MATCHES("*.iso", "a.iso.iso");
	MATCHES("a*c*e", "abcde");
	MATCHES("/a/*/c", "/a/b/c");
	MATCHES("/a/*", "/a/");
	DIFFERS("/a/*", "/a/b/c");
	DIFFERS("*", "/");
	DIFFERS("/*/c", "/a/b/c");
}
END_TEST

START_TEST(question_mark_matches_one_byte_but_no_slash)
{
	MATCHES("a?c", "abc");
	MATCHES("?", "\xff");
	DIFFERS("a?c", "ac");
	DIFFERS("a?c", "a/c");
	DIFFERS("?", "");
}
END_TEST

START_TEST(two_stars_cross_slashes)
{
	MATCHES("**", "");
	MATCHES("**", "/a/b");
	MATCHES("/a/**", "/a/b/c");
	MATCHES("/a/**", "/a/");
	MATCHES("/a**z", "/a/b/z");
	MATCHES("/**.iso", "/a/b.iso");
	MATCHES("/a/**/x*/**/z", "/a/1/2/xy/3/z");
	DIFFERS("/a/**", "/a");
	DIFFERS("/a/**", "/b/a/c");
	DIFFERS("/**.iso", "/a/b.isos");
}
END_TEST

START_TEST(more_stars_are_as_two)
{
	MATCHES("/a/***", "/a/b/c");
	MATCHES("****", "/a/b");
}
END_TEST

START_TEST(two_stars_between_slashes_also_stand_for_no_directory)
{
	MATCHES("/a/**/b", "/a/b");
	MATCHES("/a/**/b", "/a/x/y/b");
	MATCHES("**/b", "b");
	MATCHES("**/b", "/b");
	MATCHES("**/b", "/a/b");
	MATCHES("/**/**/b", "/b");
	DIFFERS("/a/**/b", "/ab");
	DIFFERS("/a/**/b", "/a/xb");
	DIFFERS("/a**/b", "/ab");
	DIFFERS("**/b", "ab");
}
END_TEST

START_TEST(set_matches_one_of_its_members)
{
	MATCHES("[abc]", "b");
	DIFFERS("[abc]", "d");
	DIFFERS("[abc]", "");
	DIFFERS("[abc]", "ab");
	MATCHES("x[ab]y", "xay");
	MATCHES("[*]", "*");
	DIFFERS("[*]", "a");
}
END_TEST

START_TEST(set_has_ranges)
{
	MATCHES("[a-c]", "b");
	MATCHES("[a-c]", "c");
	MATCHES("[0-9a-f]", "e");
	DIFFERS("[a-c]", "d");
	DIFFERS("[a-c]", "-");
	DIFFERS("[c-a]", "b");
	MATCHES("[\x80-\xff]", "\xc3");
}
END_TEST

START_TEST(set_takes_a_dash_at_its_edge_as_it_is)
{
	MATCHES("[-a]", "-");
	MATCHES("[a-]", "-");
	MATCHES("[a-]", "a");
	DIFFERS("[a-]", "b");
}
END_TEST

START_TEST(set_is_complemented_by_exclamation_mark_or_caret)
{
	MATCHES("[!a-c]", "d");
	MATCHES("[^a-c]", "d");
	DIFFERS("[!a-c]", "b");
	DIFFERS("[^a-c]", "b");
	MATCHES("[a!]", "!");
}
END_TEST

START_TEST(set_takes_a_bracket_at_its_start_as_it_is)
{
	MATCHES("[]]", "]");
	MATCHES("[]a]", "a");
	MATCHES("[!]a]", "b");
	DIFFERS("[!]a]", "]");
}
END_TEST

START_TEST(set_never_has_a_slash)
{
	DIFFERS("[/]", "/");
	DIFFERS("[+-9]", "/");
	DIFFERS("a[!b]c", "a/c");
}
END_TEST

START_TEST(set_without_end_matches_nothing)
{
	DIFFERS("[", "[");
	DIFFERS("[a", "a");
	DIFFERS("[]", "]");
	DIFFERS("[!]", "a");
	DIFFERS("[a-", "a");
	DIFFERS("[a\\]", "a");
}
END_TEST

START_TEST(set_without_end_is_found)
{
	static const char glob[] = "\\[[ab]x[\\]";

	ck_assert_ptr_eq(rules_glob_open_set(glob), glob + 7);
	ck_assert_ptr_null(rules_glob_open_set("[ab][]][!]]"));
	ck_assert_ptr_null(rules_glob_open_set("a]\\"));
	ck_assert_ptr_null(rules_glob_open_set(""));
}
END_TEST

START_TEST(backslash_takes_the_next_byte_as_it_is)
{
	MATCHES("\\*", "*");
	DIFFERS("\\*", "a");
	MATCHES("\\?\\[a]", "?[a]");
	MATCHES("\\a", "a");
	MATCHES("\\\\", "\\");
	MATCHES("*\\*", "a*");
	DIFFERS("*\\*", "ab");
	MATCHES("[\\]]", "]");
	MATCHES("[a\\-c]", "-");
	DIFFERS("[a\\-c]", "b");
	MATCHES("[\\!a]", "!");
}
END_TEST

START_TEST(last_backslash_is_itself)
{
	MATCHES("a\\", "a\\");
	DIFFERS("a\\", "a");
}
END_TEST

START_TEST(longest_glob_matches_and_a_longer_one_does_not)
{
	static char glob[RULES_GLOB + 1];

	memset(glob, 'a', RULES_GLOB - 1);
	ck_assert(rules_glob(glob, glob));
	glob[RULES_GLOB - 1] = 'a';
	ck_assert(!rules_glob(glob, glob));
}
END_TEST

/* Repeats `part` in a glob of nearly the greatest length that ends in a byte that never comes. */
static void expect_quick(const char *start, const char *part)
{
	static char glob[RULES_GLOB], s[4096];
	size_t n = strlen(start);

	strcpy(glob, start);
	for (; n + strlen(part) + 2 < sizeof glob; n += strlen(part))
		strcpy(glob + n, part);
	strcpy(glob + n, "b");
	memset(s, 'a', sizeof s - 1);
	DIFFERS(glob, s);
}

START_TEST(many_stars_take_no_time)
{
	expect_quick("", "*a");
	expect_quick("**", "*a");
	expect_quick("", "**a");
	expect_quick("**", "a*[a]*");
	expect_quick("", "*");
	expect_quick("", "*[");
}
END_TEST

/* The texts of a comparison, to look back in. */
static const char *whole_glob, *whole_s;

static bool name_starts(const char *whole, const char *at)
{
	return at == whole || at[-1] == '/';
}

/* Matches as the header says, in the plain way that can take for ever; knows no sets. */
static bool plain(const char *glob, const char *s)
{
	const char *rest = glob + strspn(glob, "*");

	if (rest - glob > 1 && *rest == '/' && name_starts(whole_glob, glob) &&
	    name_starts(whole_s, s) && plain(rest + 1, s))
		return true;
	if (rest > glob)
		return plain(rest, s) ||
		       (*s && (*s != '/' || rest - glob > 1) && plain(glob, s + 1));
	if (!*glob || !*s)
		return *glob == *s;
	return (*glob == '?' ? *s != '/' : *glob == *s) && plain(glob + 1, s + 1);
}

static bool plainly(const char *glob, const char *s)
{
	whole_glob = glob;
	whole_s = s;
	return plain(glob, s);
}

static unsigned random_state = 1;

static unsigned random_below(unsigned n)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 16) % n;
}

/* Fills `out` with up to 9 bytes of `alphabet`. */
static void random_text(char *out, const char *alphabet)
{
	int n = random_below(10);

	while (n--)
		*out++ = alphabet[random_below(strlen(alphabet))];
	*out = '\0';
}

START_TEST(stars_agree_with_the_plain_matcher)
{
	char glob[16], s[16];
	int matched = 0;

	for (int i = 0; i < 300000; i++) {
		random_text(glob, "ab/**?");
		random_text(s, "ab/");
		if (rules_glob(glob, s) != plainly(glob, s))
			ck_abort_msg("%s on %s", glob, s);
		matched += rules_glob(glob, s);
	}
	ck_assert_int_gt(matched, 5000);
}
END_TEST

START_TEST(sets_agree_with_fnmatch)
{
	/* musl reads backslashes in sets, and ranges from above to below, in its own way. */
	bool escapes = fnmatch("[\\]]", "]", 0) == 0;
	char glob[16], s[16];
	int matched = 0;

	for (int i = 0; i < 300000; i++) {
		random_text(glob, escapes ? "abc[[]]!-\\?*" : "abc[[]]!?*");
		random_text(s, "abc]-!");
		if (rules_glob_open_set(glob) || (*glob && glob[strlen(glob) - 1] == '\\'))
			continue;
		if (rules_glob(glob, s) != !fnmatch(glob, s, 0))
			ck_abort_msg("%s on %s", glob, s);
		matched += rules_glob(glob, s);
	}
	ck_assert_int_gt(matched, 5000);
}
END_TEST

UNIT_MAIN("glob", bytes_match_themselves_from_the_first_to_the_last,
	  empty_glob_matches_only_the_empty_text, star_matches_anything_but_a_slash,
	  question_mark_matches_one_byte_but_no_slash, two_stars_cross_slashes,
	  more_stars_are_as_two, two_stars_between_slashes_also_stand_for_no_directory,
	  set_matches_one_of_its_members, set_has_ranges, set_takes_a_dash_at_its_edge_as_it_is,
	  set_is_complemented_by_exclamation_mark_or_caret,
	  set_takes_a_bracket_at_its_start_as_it_is, set_never_has_a_slash,
	  set_without_end_matches_nothing, set_without_end_is_found,
	  backslash_takes_the_next_byte_as_it_is, last_backslash_is_itself,
	  longest_glob_matches_and_a_longer_one_does_not, many_stars_take_no_time,
	  stars_agree_with_the_plain_matcher, sets_agree_with_fnmatch)
