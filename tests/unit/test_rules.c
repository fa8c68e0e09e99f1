/* test_rules.c - the sentences of the contract about rules that can be parsed: what they match. */
#include "rules.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)

static const struct rules_context context = {.directory = "/home/me", .ram = 1000};
static struct rules rules;
static char memory[1 << 16];

static void never(const struct rules_error *error, void *data)
{
	(void)data;
	ck_abort_msg("rule %d, byte %zu: %s", error->rule, error->byte, error->message);
}

static void add_file(const char *text, bool comments, const struct rules_context *with)
{
	ck_assert_int_eq(
		rules_parse(&rules, text, strlen(text), "test", comments, with, never, NULL), 0);
}

static void parse(const char *text)
{
	rules_begin(&rules, memory, sizeof memory);
	add_file(text, false, &context);
}

static struct rules_subject file_at(const char *path)
{
	return (struct rules_subject){
		.path = path, .fs = "ext4", .prog = "cp", .access = ACCESS_READ};
}

static const struct treatment *treated(const char *text, const char *path)
{
	struct rules_subject file = file_at(path);

	parse(text);
	return rules_match(&rules, &file);
}

/* The first rule of `text` that matches, counted from 1; 0 where none does. */
static int first_for(const char *text, const struct rules_subject *file)
{
	const struct treatment *found;

	parse(text);
	found = rules_match(&rules, file);
	for (int i = 0; i < rules.count; i++)
		if (found == &rules.rule[i].treatment)
			return i + 1;
	ck_assert_ptr_null(found);
	return 0;
}

static int first(const char *text, const char *path)
{
	struct rules_subject file = file_at(path);

	return first_for(text, &file);
}

#define MATCHES(pattern, path) ck_assert_int_eq(first(pattern " auto", path), 1)
#define DIFFERS(pattern, path) ck_assert_int_eq(first(pattern " auto", path), 0)

START_TEST(first_match_wins)
{
	ck_assert_int_eq(first("*.iso off;*.iso direct;* auto", "/a/b.iso"), 1);
	ck_assert_int_eq(first("*.img off;*.iso direct;* auto", "/a/b.iso"), 2);
	ck_assert_int_eq(first("*.img off;*.iso direct;* auto", "/a/b"), 3);
}
END_TEST

START_TEST(file_that_no_rule_matches_is_left_alone)
{
	ck_assert_ptr_null(treated("*.iso direct", "/a/b.img"));
	ck_assert_ptr_null(treated("", "/a/b.img"));
}
END_TEST

START_TEST(default_rule_matches_every_file)
{
	ck_assert_int_eq(treated("* auto", "/a/b")->policy, POLICY_AUTO);
	ck_assert_int_eq(treated("* auto", "/.hidden")->policy, POLICY_AUTO);
}
END_TEST

START_TEST(rules_are_separated_by_semicolon_or_newline)
{
	parse("* auto;* off\n* direct\n\n;;* dsync");
	ck_assert_int_eq(rules.count, 4);
	ck_assert_int_eq(rules.rule[3].treatment.policy, POLICY_DSYNC);
}
END_TEST

START_TEST(text_without_a_rule_has_none)
{
	parse("");
	ck_assert_int_eq(rules.count, 0);
	parse(" \t;;\n \r\n;");
	ck_assert_int_eq(rules.count, 0);
}
END_TEST

START_TEST(words_are_separated_by_blanks)
{
	ck_assert_int_eq(first("\t *.iso \t size>=0  off  ", "/a.iso"), 1);
}
END_TEST

START_TEST(lines_may_end_as_elsewhere)
{
	parse("*.iso off\r\n\r\n*.img direct\r\n");
	ck_assert_int_eq(rules.count, 2);
	ck_assert_int_eq(rules.rule[0].treatment.policy, POLICY_OFF);
}
END_TEST

START_TEST(further_texts_append_their_rules)
{
	parse("*.iso off");
	add_file("* auto", true, &context);
	ck_assert_int_eq(rules.count, 2);
	ck_assert_str_eq(rules.rule[0].pattern, "*.iso");
	ck_assert_str_eq(rules.rule[1].pattern, "*");
}
END_TEST

START_TEST(text_ends_at_its_length)
{
	rules_begin(&rules, memory, sizeof memory);
	ck_assert_int_eq(rules_parse(&rules, "* offline", 5, "t", false, &context, never, NULL), 0);
	ck_assert_int_eq(rules.rule[0].treatment.policy, POLICY_OFF);
}
END_TEST

START_TEST(rules_outlive_their_text)
{
	char text[] = "*.iso fs=ext* off";

	parse(text);
	memset(text, 'x', sizeof text);
	ck_assert_str_eq(rules.rule[0].pattern, "*.iso");
	ck_assert_str_eq(rules.rule[0].condition[0].glob, "ext*");
}
END_TEST

static void parse_file(const char *text)
{
	rules_begin(&rules, memory, sizeof memory);
	add_file(text, true, &context);
}

START_TEST(hash_starts_a_comment_in_a_file)
{
	parse_file("# all; of \"it\n*.iso off # why; * direct\n#\n * auto;# end");
	ck_assert_int_eq(rules.count, 2);
	ck_assert_int_eq(rules.rule[1].treatment.policy, POLICY_AUTO);
}
END_TEST

START_TEST(hash_within_a_word_is_no_comment)
{
	parse_file("*#1 off\na\\ #b off");
	ck_assert_str_eq(rules.rule[0].pattern, "*#1");
	ck_assert_str_eq(rules.rule[1].pattern, "a #b");
}
END_TEST

START_TEST(protected_hash_is_no_comment)
{
	parse_file("\\#a off\n\"#\"b off\n\"a #\"b off");
	ck_assert_str_eq(rules.rule[0].pattern, "#a");
	ck_assert_str_eq(rules.rule[1].pattern, "#b");
	ck_assert_str_eq(rules.rule[2].pattern, "a #b");
}
END_TEST

START_TEST(hash_is_an_ordinary_byte_outside_files)
{
	MATCHES("#*", "/a/#b");
}
END_TEST

START_TEST(pattern_without_slash_matches_the_name)
{
	MATCHES("*.iso", "/any/where/b.iso");
	MATCHES("b.iso", "/b.iso");
	MATCHES("b.iso", "b.iso");
	DIFFERS("b.iso", "/b.iso/c");
	DIFFERS("any*", "/any/b.iso");
}
END_TEST

START_TEST(pattern_with_slash_matches_the_absolute_path)
{
	MATCHES("/var/*.iso", "/var/b.iso");
	MATCHES("/var/lib/db/**", "/var/lib/db/x/y");
	DIFFERS("/var/*.iso", "/var/x/b.iso");
	DIFFERS("/var/*.iso", "/mnt/var/b.iso");
	DIFFERS("/b.iso", "/a/b.iso");
}
END_TEST

START_TEST(relative_pattern_is_taken_from_the_working_directory)
{
	MATCHES("./x", "/home/me/x");
	MATCHES("sub/*.iso", "/home/me/sub/b.iso");
	MATCHES("sub/**", "/home/me/sub/a/b");
	MATCHES("*/x", "/home/me/a/x");
	MATCHES("./**/x", "/home/me/x");
	DIFFERS("./x", "/x");
	DIFFERS("sub/*.iso", "/sub/b.iso");
	DIFFERS("./**/x", "/home/x");
}
END_TEST

START_TEST(dots_and_double_slashes_in_a_path_are_resolved)
{
	MATCHES("../x", "/home/x");
	MATCHES("../../../../x", "/x");
	MATCHES("/var//lib/./db/../x", "/var/lib/x");
	MATCHES("././x", "/home/me/x");
	MATCHES("/a/..b/.c", "/a/..b/.c");
}
END_TEST

START_TEST(pattern_that_starts_with_two_stars_holds_in_every_directory)
{
	MATCHES("**/tmp/x", "/tmp/x");
	MATCHES("**/tmp/x", "/var/tmp/x");
	MATCHES("**.d/x", "/etc/init.d/x");
	DIFFERS("**/tmp/x", "/var/tmp/y");
}
END_TEST

START_TEST(relative_pattern_in_the_root_directory)
{
	const struct rules_context root = {.directory = "/"};

	rules_begin(&rules, memory, sizeof memory);
	add_file("./x off", false, &root);
	ck_assert_str_eq(rules.rule[0].pattern, "/x");
}
END_TEST

START_TEST(wildcards_in_the_working_directory_are_literal)
{
	const struct rules_context odd = {.directory = "/a*[b]\\c"};
	struct rules_subject file = file_at("/a*[b]\\c/x");

	rules_begin(&rules, memory, sizeof memory);
	add_file("./x off", false, &odd);
	ck_assert_ptr_nonnull(rules_match(&rules, &file));
	file = file_at("/aab\\c/x");
	ck_assert_ptr_null(rules_match(&rules, &file));
}
END_TEST

START_TEST(absolute_patterns_need_no_working_directory)
{
	const struct rules_context lost = {.directory = NULL};

	rules_begin(&rules, memory, sizeof memory);
	add_file("/x off;*.iso off;**/x off", false, &lost);
	ck_assert_int_eq(rules.count, 3);
}
END_TEST

START_TEST(quotes_protect_blanks_and_separators)
{
	MATCHES("\"a b;c#d\te\"", "/x/a b;c#d\te");
	MATCHES("a\" \"b", "/x/a b");
	MATCHES("\"/my dir\"/*", "/my dir/x");
}
END_TEST

START_TEST(backslash_protects_blanks_and_separators)
{
	MATCHES("a\\ b\\;c\\#d", "/x/a b;c#d");
	MATCHES("a\\\\b", "/x/a\\b");
	MATCHES("a\\\"b", "/x/a\"b");
	MATCHES("a\\bc", "/x/abc");
}
END_TEST

START_TEST(backslash_protects_within_quotes_too)
{
	MATCHES("\"a\\\"b c\"", "/x/a\"b c");
	MATCHES("\"a\\\\ b\"", "/x/a\\ b");
}
END_TEST

START_TEST(protected_wildcards_are_literal)
{
	MATCHES("\"*\"", "/x/*");
	DIFFERS("\"*\"", "/x/a");
	DIFFERS("\\*", "/x/a");
	MATCHES("\\[a\\]", "/x/[a]");
	DIFFERS("\\[a\\]", "/x/a");
	MATCHES("\"[a\"?", "/x/[ab");
	DIFFERS("a\"?\"", "/x/ab");
	DIFFERS("[a\"-\"c]", "/x/b");
	DIFFERS("[\\!a]", "/x/b");
	MATCHES("[\"]\"a]", "/x/]");
	MATCHES("[a\"]\"b]", "/x/]");
}
END_TEST

START_TEST(unprotected_wildcards_beside_quotes_still_work)
{
	MATCHES("\"a b\"*", "/x/a bc");
	MATCHES("\"my \"[ab]", "/x/my b");
}
END_TEST

START_TEST(any_word_may_be_quoted)
{
	parse("* \"prog=my prog\" \"size>=\"4K \"direct\",\"window=1M\"");
	ck_assert_str_eq(rules.rule[0].condition[0].glob, "my prog");
	ck_assert_uint_eq(rules.rule[0].condition[1].number, 4096);
	ck_assert_int_eq(rules.rule[0].treatment.policy, POLICY_DIRECT);
}
END_TEST

/* Whether `* CONDITION auto` holds for the file. */
static bool holds(const char *condition, const struct rules_subject *file)
{
	char text[64];

	snprintf(text, sizeof text, "* %s auto", condition);
	return first_for(text, file);
}

static bool holds_at_size(const char *condition, uint64_t size)
{
	struct rules_subject file = file_at("/x");

	file.size = size;
	return holds(condition, &file);
}

START_TEST(size_at_least_holds_from_its_number_on)
{
	ck_assert(!holds_at_size("size>=10", 9));
	ck_assert(holds_at_size("size>=10", 10));
	ck_assert(holds_at_size("size>=10", UINT64_MAX));
	ck_assert(holds_at_size("size>=0", 0));
}
END_TEST

START_TEST(size_below_holds_up_to_its_number)
{
	ck_assert(holds_at_size("size<10", 9));
	ck_assert(!holds_at_size("size<10", 10));
	ck_assert(!holds_at_size("size<0", 0));
}
END_TEST

START_TEST(file_changes_its_rule_when_it_grows)
{
	struct rules_subject file = file_at("/x");

	ck_assert_int_eq(first_for("* size<1M off;* direct", &file), 1);
	file.size = MIB;
	ck_assert_int_eq(first_for("* size<1M off;* direct", &file), 2);
}
END_TEST

static uint64_t number_of(const char *number)
{
	char text[64];

	snprintf(text, sizeof text, "* size>=%s off", number);
	parse(text);
	return rules.rule[0].condition[0].number;
}

START_TEST(sizes_have_units_of_powers_of_1024)
{
	ck_assert_uint_eq(number_of("7"), 7);
	ck_assert_uint_eq(number_of("7K"), 7 * 1024);
	ck_assert_uint_eq(number_of("7M"), 7 * MIB);
	ck_assert_uint_eq(number_of("7G"), 7 * GIB);
	ck_assert_uint_eq(number_of("7T"), 7 * TIB);
}
END_TEST

START_TEST(largest_sizes_fit)
{
	ck_assert_uint_eq(number_of("18446744073709551615"), UINT64_MAX);
	ck_assert_uint_eq(number_of("16777215T"), 16777215 * TIB);
	ck_assert_uint_eq(number_of("17179869183G"), 17179869183 * GIB);
}
END_TEST

START_TEST(size_may_be_a_percentage_of_memory)
{
	ck_assert_uint_eq(number_of("50%ram"), 500);
	ck_assert_uint_eq(number_of("0%ram"), 0);
	ck_assert_uint_eq(number_of("200%ram"), 2000);
	ck_assert(holds_at_size("size<10%ram", 99));
	ck_assert(!holds_at_size("size<10%ram", 100));
}
END_TEST

static bool holds_in_mode(const char *condition, enum access access)
{
	struct rules_subject file = file_at("/x");

	file.access = access;
	return holds(condition, &file);
}

START_TEST(mode_is_how_the_program_opened_the_file)
{
	static const char *const modes[] = {"mode=r", "mode=w", "mode=rw"};
	static const enum access accesses[] = {ACCESS_READ, ACCESS_WRITE, ACCESS_BOTH};

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			ck_assert_int_eq(holds_in_mode(modes[i], accesses[j]), i == j);
}
END_TEST

START_TEST(fs_is_a_glob_for_the_file_system)
{
	struct rules_subject file = file_at("/x");

	ck_assert(holds("fs=ext4", &file));
	ck_assert(holds("fs=ext*", &file));
	ck_assert(holds("fs=[a-f]xt?", &file));
	ck_assert(!holds("fs=ext", &file));
	ck_assert(!holds("fs=xfs", &file));
	ck_assert(!holds("fs=ext\\*", &file));
	file.fs = NULL;
	ck_assert(!holds("fs=*", &file));
}
END_TEST

START_TEST(prog_is_a_glob_for_the_program)
{
	struct rules_subject file = file_at("/x");

	ck_assert(holds("prog=cp", &file));
	ck_assert(holds("prog=c*", &file));
	ck_assert(!holds("prog=rsync", &file));
	file.prog = "a b";
	ck_assert(holds("prog=a\\ b", &file));
	ck_assert(holds("prog=\"a b\"", &file));
	file.prog = NULL;
	ck_assert(!holds("prog=*", &file));
}
END_TEST

START_TEST(all_conditions_must_hold)
{
	struct rules_subject file = file_at("/x");

	file.size = 50;
	ck_assert(holds("size>=10 size<100 mode=r fs=ext4 prog=cp", &file));
	ck_assert(!holds("size>=10 size<50 mode=r fs=ext4 prog=cp", &file));
	ck_assert(!holds("size>=10 size<100 mode=r fs=ext4 prog=mv", &file));
	ck_assert_int_eq(first_for("y size>=10 auto", &file), 0);
}
END_TEST

START_TEST(as_many_conditions_as_there_is_room_for)
{
	parse("* size<1 size<2 size<3 size<4 size<5 size<6 size<7 size<8 off");
	ck_assert_int_eq(rules.rule[0].conditions, RULES_CONDITIONS);
	ck_assert_uint_eq(rules.rule[0].condition[7].number, 8);
}
END_TEST

START_TEST(every_policy_can_be_asked_for)
{
	for (enum policy policy = 0; policy < POLICY_COUNT; policy++) {
		char text[32];

		snprintf(text, sizeof text, "* %s", policy_name(policy));
		ck_assert_int_eq(treated(text, "/x")->policy, policy);
	}
}
END_TEST

START_TEST(policy_without_options_has_the_defaults)
{
	struct treatment defaults = policy_defaults(POLICY_DIRECT);
	const struct treatment *t = treated("* direct", "/x");

	ck_assert_int_eq(t->keep, defaults.keep);
	ck_assert_int_eq(t->relaxed, defaults.relaxed);
	ck_assert_uint_eq(t->window, defaults.window);
	ck_assert_uint_eq(t->block, defaults.block);
	ck_assert_uint_eq(t->depth, defaults.depth);
}
END_TEST

START_TEST(window_is_a_size)
{
	ck_assert_uint_eq(treated("* dontneed,window=16M", "/x")->window, 16 * MIB);
}
END_TEST

START_TEST(block_and_depth_are_numbers)
{
	const struct treatment *t = treated("* direct,block=512K,depth=8", "/x");

	ck_assert_uint_eq(t->block, 512 * 1024);
	ck_assert_uint_eq(t->depth, 8);
	ck_assert_uint_eq(t->window, 8 * MIB);
}
END_TEST

START_TEST(relaxed_is_an_option)
{
	ck_assert(treated("* direct,relaxed", "/x")->relaxed);
}
END_TEST

START_TEST(last_of_keep_and_nokeep_holds)
{
	ck_assert(!treated("* auto,nokeep", "/x")->keep);
	ck_assert(treated("* auto,keep", "/x")->keep);
	ck_assert(treated("* auto,nokeep,keep", "/x")->keep);
	ck_assert(!treated("* auto,keep,nokeep", "/x")->keep);
}
END_TEST

START_TEST(options_hold_for_their_rule_only)
{
	parse("a direct,nokeep,depth=9;b direct");
	ck_assert(rules.rule[1].treatment.keep);
	ck_assert_uint_eq(rules.rule[1].treatment.depth, 2);
}
END_TEST

START_TEST(patterns_for_every_file_need_no_path)
{
	ck_assert_int_eq(first("* off", NULL), 1);
	ck_assert_int_eq(first("** size>=0 off", NULL), 1);
	ck_assert_int_eq(first("/** off", NULL), 1);
	ck_assert(!rules.need_path);
	parse("* off;*.iso off");
	ck_assert(rules.need_path);
	parse("*.iso off;* off");
	ck_assert(rules.need_path);
}
END_TEST

START_TEST(file_without_a_path_matches_no_other_pattern)
{
	ck_assert_int_eq(first("*x off;/*/** off;?* off", NULL), 0);
}
END_TEST

START_TEST(need_of_the_file_system_is_known)
{
	parse("* prog=x off");
	ck_assert(!rules.need_fs);
	parse("* fs=x off");
	ck_assert(rules.need_fs);
}
END_TEST

START_TEST(nothing_is_left_of_earlier_rules)
{
	parse("*.iso fs=ext4 off");
	parse("* auto");
	ck_assert_int_eq(rules.count, 1);
	ck_assert_int_eq(rules.rule[0].conditions, 0);
	ck_assert(!rules.need_fs && !rules.need_path && !rules.overflow);
}
END_TEST

UNIT_MAIN("rules", first_match_wins, file_that_no_rule_matches_is_left_alone,
	  default_rule_matches_every_file, rules_are_separated_by_semicolon_or_newline,
	  text_without_a_rule_has_none, words_are_separated_by_blanks, lines_may_end_as_elsewhere,
	  further_texts_append_their_rules, text_ends_at_its_length, rules_outlive_their_text,
	  hash_starts_a_comment_in_a_file, hash_within_a_word_is_no_comment,
	  protected_hash_is_no_comment, hash_is_an_ordinary_byte_outside_files,
	  pattern_without_slash_matches_the_name, pattern_with_slash_matches_the_absolute_path,
	  relative_pattern_is_taken_from_the_working_directory,
	  dots_and_double_slashes_in_a_path_are_resolved,
	  pattern_that_starts_with_two_stars_holds_in_every_directory,
	  relative_pattern_in_the_root_directory, wildcards_in_the_working_directory_are_literal,
	  absolute_patterns_need_no_working_directory, quotes_protect_blanks_and_separators,
	  backslash_protects_blanks_and_separators, backslash_protects_within_quotes_too,
	  protected_wildcards_are_literal, unprotected_wildcards_beside_quotes_still_work,
	  any_word_may_be_quoted, size_at_least_holds_from_its_number_on,
	  size_below_holds_up_to_its_number, file_changes_its_rule_when_it_grows,
	  sizes_have_units_of_powers_of_1024, largest_sizes_fit, size_may_be_a_percentage_of_memory,
	  mode_is_how_the_program_opened_the_file, fs_is_a_glob_for_the_file_system,
	  prog_is_a_glob_for_the_program, all_conditions_must_hold,
	  as_many_conditions_as_there_is_room_for, every_policy_can_be_asked_for,
	  policy_without_options_has_the_defaults, window_is_a_size, block_and_depth_are_numbers,
	  relaxed_is_an_option, last_of_keep_and_nokeep_holds, options_hold_for_their_rule_only,
	  patterns_for_every_file_need_no_path, file_without_a_path_matches_no_other_pattern,
	  need_of_the_file_system_is_known, nothing_is_left_of_earlier_rules)
