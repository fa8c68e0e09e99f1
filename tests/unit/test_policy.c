/* test_policy.c - the policies have the names and defaults of the contract. */
#include "policy.h"

#include "unit.h"

#include <string.h>

/* In the order of the contract. */
static const struct {
	const char *name;
	enum policy policy;
} contract[] = {
	{"auto", POLICY_AUTO},           {"direct", POLICY_DIRECT},   {"dontneed", POLICY_DONTNEED},
	{"dontcache", POLICY_DONTCACHE}, {"noreuse", POLICY_NOREUSE}, {"dsync", POLICY_DSYNC},
	{"buffered", POLICY_BUFFERED},   {"observe", POLICY_OBSERVE}, {"off", POLICY_OFF},
};

START_TEST(every_policy_is_called_as_in_the_contract)
{
	ck_assert_int_eq(sizeof contract / sizeof contract[0], POLICY_COUNT);
	for (int i = 0; i < POLICY_COUNT; i++) {
		ck_assert_str_eq(policy_name(contract[i].policy), contract[i].name);
		ck_assert_int_eq(policy_named(contract[i].name, strlen(contract[i].name)),
				 contract[i].policy);
	}
}
END_TEST

START_TEST(name_is_taken_whole_and_in_lower_case)
{
	ck_assert_int_eq(policy_named("dierct", 6), POLICY_COUNT);
	ck_assert_int_eq(policy_named("direc", 5), POLICY_COUNT);
	ck_assert_int_eq(policy_named("directs", 7), POLICY_COUNT);
	ck_assert_int_eq(policy_named("Direct", 6), POLICY_COUNT);
	ck_assert_int_eq(policy_named("", 0), POLICY_COUNT);
}
END_TEST

START_TEST(name_needs_no_end_of_string)
{
	ck_assert_int_eq(policy_named("direct,relaxed", 6), POLICY_DIRECT);
	ck_assert_int_eq(policy_named("off;", 3), POLICY_OFF);
}
END_TEST

START_TEST(no_policy_still_has_a_name)
{
	ck_assert_str_eq(policy_name(POLICY_COUNT), "unknown");
	ck_assert_str_eq(policy_name((enum policy) - 1), "unknown");
}
END_TEST

START_TEST(defaults_are_those_of_the_contract)
{
	for (enum policy policy = 0; policy < POLICY_COUNT; policy++) {
		struct treatment t = policy_defaults(policy);

		ck_assert_int_eq(t.policy, policy);
		ck_assert(t.keep);
		ck_assert(!t.relaxed);
		ck_assert_uint_eq(t.window, 8 * 1024 * 1024);
		ck_assert_uint_eq(t.block, 4 * 1024 * 1024);
		ck_assert_uint_eq(t.depth, 2);
	}
}
END_TEST

UNIT_MAIN("policy", every_policy_is_called_as_in_the_contract,
	  name_is_taken_whole_and_in_lower_case, name_needs_no_end_of_string,
	  no_policy_still_has_a_name, defaults_are_those_of_the_contract)
