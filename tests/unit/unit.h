/*
 * unit.h - what the unit tests share. A test is named after the behaviour that it holds; one
 * that is left out of UNIT_MAIN is an unused variable, so it does not compile.
 */
#ifndef NOCACHE_UNIT_H
#define NOCACHE_UNIT_H

#include <check.h>
#include <stddef.h>

enum { UNIT_SECONDS = 60 }; /* a test may take, sanitizers and a busy machine included */

static inline int unit_run(const char *name, const TTest *const *tests, size_t n)
{
	Suite *suite = suite_create(name);
	TCase *all = tcase_create(name);
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(all, UNIT_SECONDS);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(all, tests[i]);
	suite_add_tcase(suite, all);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

/* An assertion for hot loops: one of Check's costs a system call. */
#define UNIT_HOLDS(expression)                                                                     \
	do {                                                                                       \
		if (!(expression))                                                                 \
			ck_abort_msg("does not hold: %s", #expression);                            \
	} while (0)

/* The program's main(): runs the tests that are named. */
#define UNIT_MAIN(name, ...)                                                                       \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = {__VA_ARGS__};                                        \
                                                                                                   \
		return unit_run(name, tests, sizeof tests / sizeof tests[0]);                      \
	}

#endif
