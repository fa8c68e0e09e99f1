/* test_rules_errors.c - a bad rule is named to the byte and skipped, and the others hold. */
#include "rules.h"

#include "unit.h"

#include <string.h>

static const struct rules_context context = {.directory = "/home/me", .ram = 1 << 20};
static struct rules rules;
static char memory[1 << 16];
static struct rules_error last;
static int complaints;

static void note(const struct rules_error *error, void *data)
{
	ck_assert_ptr_eq(data, memory);
	last = *error;
	complaints++;
}

/* Appends the rules of a text; how many could not be parsed. */
static int append(const char *text, size_t n, bool comments, const struct rules_context *with)
{
	int bad;

	complaints = 0;
	bad = rules_parse(&rules, text, n, "NOCACHE_RULES", comments, with, note, memory);
	ck_assert_int_eq(bad, complaints);
	return bad;
}

static int parse(const char *text, size_t n)
{
	rules_begin(&rules, memory, sizeof memory);
	return append(text, n, false, &context);
}

static void expect_last(int rule, size_t byte, const char *message)
{
	ck_assert_int_eq(last.rule, rule);
	ck_assert_str_eq(last.message, message);
	ck_assert_uint_eq(last.byte, byte);
}

/* The text has one error, which is this one. */
static void expect(const char *text, int rule, size_t byte, const char *message)
{
	ck_assert_int_eq(parse(text, strlen(text)), 1);
	expect_last(rule, byte, message);
}

START_TEST(error_of_the_contract_is_found_where_it_says)
{
	expect("*.iso off;*.img dierct", 2, 17, "unknown policy \"dierct\"");
	ck_assert_str_eq(last.source, "NOCACHE_RULES");
}
END_TEST

START_TEST(bad_rule_is_skipped_and_the_others_hold)
{
	expect("*.iso off;*.img fs=xfs dierct;* direct", 2, 24, "unknown policy \"dierct\"");
	ck_assert_int_eq(rules.count, 2);
	ck_assert_str_eq(rules.rule[0].pattern, "*.iso");
	ck_assert_str_eq(rules.rule[1].pattern, "*");
	ck_assert_int_eq(rules.rule[1].conditions, 0);
	ck_assert(!rules.need_fs);
	ck_assert(!rules.overflow);
}
END_TEST

START_TEST(every_bad_rule_is_complained_of_once)
{
	ck_assert_int_eq(parse("* x=y bad,foo oh\n* off\n*\n", 25), 2);
	expect_last(3, 24, "missing policy");
	ck_assert_int_eq(rules.count, 1);
}
END_TEST

START_TEST(blank_rules_are_not_counted)
{
	expect(";; \n* off;;\n;* x", 2, 16, "unknown policy \"x\"");
}
END_TEST

START_TEST(comments_are_not_counted_as_rules)
{
	static const char text[] = "# one\n* off # two\n#\n* x";

	rules_begin(&rules, memory, sizeof memory);
	ck_assert_int_eq(append(text, sizeof text - 1, true, &context), 1);
	expect_last(2, 23, "unknown policy \"x\"");
}
END_TEST

START_TEST(every_source_counts_for_itself)
{
	parse("* off", 5);
	ck_assert_int_eq(append("* x", 3, false, &context), 1);
	expect_last(1, 3, "unknown policy \"x\"");
}
END_TEST

START_TEST(policy_may_not_be_missing)
{
	expect("*.iso", 1, 1, "missing policy");
	expect("  *.iso size>=4K ;* off", 1, 3, "missing policy");
}
END_TEST

START_TEST(policy_is_spelt_as_in_the_contract)
{
	expect("* Direct", 1, 3, "unknown policy \"Direct\"");
	expect("* ,keep", 1, 3, "unknown policy \"\"");
	expect("* auto=1,keep", 1, 3, "unknown condition \"auto=1,keep\"");
	expect("* dierct,window=8M", 1, 3, "unknown policy \"dierct\"");
	expect("* dierct size>=4K", 1, 3, "unknown policy \"dierct\"");
}
END_TEST

START_TEST(nothing_may_follow_the_policy)
{
	expect("* direct off", 1, 10, "unexpected word \"off\"");
	expect("* direct size>=4K", 1, 10, "unexpected word \"size>=4K\"");
}
END_TEST

START_TEST(condition_must_be_known)
{
	expect("* x=y direct", 1, 3, "unknown condition \"x=y\"");
	expect("* size>4K off", 1, 3, "unknown condition \"size>4K\"");
	expect("* window=8M direct", 1, 3, "unknown condition \"window=8M\"");
	expect("* Mode=r direct", 1, 3, "unknown condition \"Mode=r\"");
	expect("* =r direct", 1, 3, "unknown condition \"=r\"");
}
END_TEST

START_TEST(number_must_be_one)
{
	expect("* size>=12Q off", 1, 9, "bad number \"12Q\"");
	expect("* size< off", 1, 8, "bad number \"\"");
	expect("* size<=5 off", 1, 8, "bad number \"=5\"");
	expect("* size<-5 off", 1, 8, "bad number \"-5\"");
	expect("* size<K off", 1, 8, "bad number \"K\"");
	expect("* size<5KB off", 1, 8, "bad number \"5KB\"");
	expect("* size<1.5G off", 1, 8, "bad number \"1.5G\"");
	expect("* size<5% off", 1, 8, "bad number \"5%\"");
	expect("* size<5%ramp off", 1, 8, "bad number \"5%ramp\"");
	expect("* size<%ram off", 1, 8, "bad number \"%ram\"");
}
END_TEST

START_TEST(number_must_fit)
{
	expect("* size<18446744073709551616 off", 1, 8, "bad number \"18446744073709551616\"");
	expect("* size<18014398509481984K off", 1, 8, "bad number \"18014398509481984K\"");
	expect("* size<16777216T off", 1, 8, "bad number \"16777216T\"");
	expect("* size<17592186044416%ram off", 1, 8, "bad number \"17592186044416%ram\"");
}
END_TEST

START_TEST(percentage_of_unknown_memory_is_an_error)
{
	const struct rules_context lost = {.directory = "/"};

	rules_begin(&rules, memory, sizeof memory);
	ck_assert_int_eq(append("* size<5%ram off", 16, false, &lost), 1);
	expect_last(1, 8, "bad number \"5%ram\"");
}
END_TEST

START_TEST(mode_must_be_known)
{
	expect("* mode=x off", 1, 8, "unknown mode \"x\"");
	expect("* mode= off", 1, 8, "unknown mode \"\"");
	expect("* mode=wr off", 1, 8, "unknown mode \"wr\"");
}
END_TEST

START_TEST(option_must_be_known)
{
	expect("* direct,foo", 1, 10, "unknown option \"foo\"");
	expect("* direct,", 1, 10, "unknown option \"\"");
	expect("* direct,,keep", 1, 10, "unknown option \"\"");
	expect("* direct,keep,foo=3", 1, 15, "unknown option \"foo=3\"");
	expect("* direct,window", 1, 10, "unknown option \"window\"");
	expect("* direct,keep=1", 1, 10, "unknown option \"keep=1\"");
}
END_TEST

START_TEST(option_must_have_a_number_above_zero)
{
	expect("* direct,window=", 1, 17, "bad number \"\"");
	expect("* dontneed,window=0", 1, 19, "bad number \"0\"");
	expect("* direct,block=0K", 1, 16, "bad number \"0K\"");
	expect("* direct,depth=0,keep", 1, 16, "bad number \"0\"");
	expect("* direct,depth=two", 1, 16, "bad number \"two\"");
	expect("* dontneed,window=5%ram", 1, 19, "bad number \"5%ram\"");
}
END_TEST

START_TEST(quote_must_be_closed)
{
	expect("* off;a\"b off", 2, 8, "unterminated quote");
	expect("\"", 1, 1, "unterminated quote");
	expect("\"\"\"", 1, 3, "unterminated quote");
	expect("\"a\\\" off", 1, 1, "unterminated quote");
}
END_TEST

START_TEST(open_quote_spoils_no_other_line)
{
	expect("\"a off;* off\n* direct", 1, 1, "unterminated quote");
	ck_assert_int_eq(rules.count, 1);
	ck_assert_int_eq(rules.rule[0].treatment.policy, POLICY_DIRECT);
}
END_TEST

START_TEST(backslash_protects_no_newline)
{
	expect("a\\\n* off", 1, 1, "missing policy");
	ck_assert_int_eq(rules.count, 1);
}
END_TEST

START_TEST(set_must_be_closed)
{
	expect("x[ab off", 1, 2, "unterminated set \"[ab\"");
	expect("* fs=[] off", 1, 6, "unterminated set \"[]\"");
	expect("/[a/]/../b off", 1, 1, "unterminated set \"/[a/b\"");
}
END_TEST

START_TEST(pattern_must_not_be_empty)
{
	expect("\"\" off", 1, 3, "empty pattern \"\"");
	expect("* prog= off", 1, 8, "empty pattern \"\"");
}
END_TEST

START_TEST(pattern_must_not_be_that_of_a_directory)
{
	expect("/var/lib/db/ off", 1, 1, "no file can be called \"/var/lib/db/\"");
	expect("sub/ off", 1, 1, "no file can be called \"sub/\"");
	expect("/ off", 1, 1, "no file can be called \"/\"");
	expect("/. off", 1, 1, "no file can be called \"/\"");
	expect("/a/.. off", 1, 1, "no file can be called \"/\"");
}
END_TEST

START_TEST(relative_pattern_without_a_working_directory_is_an_error)
{
	const struct rules_context lost = {.directory = NULL};

	rules_begin(&rules, memory, sizeof memory);
	ck_assert_int_eq(append("* off; ./x off", 14, false, &lost), 1);
	expect_last(2, 8, "no working directory for \"./x\"");
}
END_TEST

START_TEST(nul_is_an_error_of_its_rule)
{
	ck_assert_int_eq(parse("* off\0;* direct", 15), 1);
	expect_last(1, 6, "NUL byte");
	ck_assert_int_eq(rules.count, 1);
	ck_assert_int_eq(parse("\"a\\\0\" off", 9), 1);
	expect_last(1, 4, "NUL byte");
}
END_TEST

START_TEST(nul_in_a_comment_is_passed_over)
{
	rules_begin(&rules, memory, sizeof memory);
	ck_assert_int_eq(append("#\0\n* off", 8, true, &context), 0);
	ck_assert_int_eq(rules.count, 1);
}
END_TEST

START_TEST(byte_is_that_of_the_source_behind_quotes_and_backslashes)
{
	expect("a\\ \"b\" \"size>=\"12Q off", 1, 16, "bad number \"12Q\"");
	expect("\\* di\"rect\",\\foo", 1, 13, "unknown option \"foo\"");
}
END_TEST

START_TEST(word_in_a_message_is_printable)
{
	expect("* a\x1b[0m\x7f\xc3\xa9", 1, 3, "unknown policy \"a?[0m?\xc3\xa9\"");
}
END_TEST

START_TEST(long_word_in_a_message_is_cut)
{
	char text[1024] = "* ";

	memset(text + 2, 'x', sizeof text - 3);
	expect(text, 1, 3,
	       "unknown policy \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"");
}
END_TEST

START_TEST(too_many_conditions_are_an_error)
{
	expect("* size<1 size<2 size<3 size<4 size<5 size<6 size<7 size<8 mode=r off", 1, 59,
	       "too many conditions");
}
END_TEST

START_TEST(too_many_rules_are_an_error_and_the_first_hold)
{
	char text[6 * (RULES_MAX + 2)];

	for (int i = 0; i < RULES_MAX + 2; i++)
		memcpy(text + 6 * i, "* off;", 6);
	ck_assert_int_eq(parse(text, sizeof text), 2);
	expect_last(RULES_MAX + 2, sizeof text - 5, "too many rules");
	ck_assert_int_eq(rules.count, RULES_MAX);
	ck_assert(rules.overflow);
}
END_TEST

START_TEST(pattern_must_not_be_longer_than_a_path)
{
	char text[RULES_GLOB + 8];

	memset(text, 'x', sizeof text);
	memcpy(text + RULES_GLOB - 1, " off", 5);
	ck_assert_int_eq(parse(text, strlen(text)), 0);
	memcpy(text + RULES_GLOB - 1, "x off", 6);
	ck_assert_int_eq(parse(text, strlen(text)), 1);
	expect_last(1, 1,
		    "pattern too long \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"");
	memcpy(text, "./", 2);
	memcpy(text + RULES_GLOB - 1, " off", 5);
	ck_assert_int_eq(parse(text, strlen(text)), 1);
}
END_TEST

/* Parses two rules into `room` bytes; how many found room. */
static int count_in(size_t room, const char *text)
{
	int bad;

	memset(memory, '#', sizeof memory);
	rules_begin(&rules, memory, room);
	bad = append(text, strlen(text), false, &context);
	ck_assert_int_eq(memory[room], '#');
	ck_assert_int_eq(bad + rules.count, 2);
	return rules.count;
}

START_TEST(rules_without_room_are_errors_and_the_others_hold)
{
	ck_assert_int_eq(count_in(0, "a off;b off"), 0);
	expect_last(2, 7, "no room");
	ck_assert_int_eq(count_in(5, "a off;b off"), 0);
	ck_assert_int_eq(count_in(6, "a off;b off"), 1);
	ck_assert_int_eq(count_in(7, "a off;b off"), 1);
	expect_last(2, 9, "no room");
	ck_assert_int_eq(count_in(8, "a off;b off"), 2);
	ck_assert(!rules.overflow);
	ck_assert_int_eq(count_in(8, "aaaaaaaa off;b off"), 1);
	ck_assert(rules.overflow);
	ck_assert_str_eq(rules.rule[0].pattern, "b");
}
END_TEST

START_TEST(working_directory_without_room_is_an_error)
{
	ck_assert_int_eq(count_in(8, "./x off;* off"), 1);
	ck_assert_int_eq(last.rule, 1);
	ck_assert_str_eq(last.message, "no room");
}
END_TEST

START_TEST(room_of_a_bad_rule_is_given_back)
{
	ck_assert_int_eq(count_in(8, "abc fo;b off"), 1);
	ck_assert_uint_eq(rules.room, 6);
	ck_assert_ptr_eq(rules.memory, memory + 2);
}
END_TEST

UNIT_MAIN("rules_errors", error_of_the_contract_is_found_where_it_says,
	  bad_rule_is_skipped_and_the_others_hold, every_bad_rule_is_complained_of_once,
	  blank_rules_are_not_counted, comments_are_not_counted_as_rules,
	  every_source_counts_for_itself, policy_may_not_be_missing,
	  policy_is_spelt_as_in_the_contract, nothing_may_follow_the_policy,
	  condition_must_be_known, number_must_be_one, number_must_fit,
	  percentage_of_unknown_memory_is_an_error, mode_must_be_known, option_must_be_known,
	  option_must_have_a_number_above_zero, quote_must_be_closed,
	  open_quote_spoils_no_other_line, backslash_protects_no_newline, set_must_be_closed,
	  pattern_must_not_be_empty, pattern_must_not_be_that_of_a_directory,
	  relative_pattern_without_a_working_directory_is_an_error, nul_is_an_error_of_its_rule,
	  nul_in_a_comment_is_passed_over, byte_is_that_of_the_source_behind_quotes_and_backslashes,
	  word_in_a_message_is_printable, long_word_in_a_message_is_cut,
	  too_many_conditions_are_an_error, too_many_rules_are_an_error_and_the_first_hold,
	  pattern_must_not_be_longer_than_a_path, rules_without_room_are_errors_and_the_others_hold,
	  working_directory_without_room_is_an_error, room_of_a_bad_rule_is_given_back)
