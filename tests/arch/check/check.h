/*
 * check.h - what the unit tests use of Check, for machines and libcs that Debian has no Check of:
 * each test in a process of its own, with a limit of time, told in TAP as Check tells it.
 *
 * CK_TAP_LOG_FILE_NAME and CK_TIMEOUT_MULTIPLIER are those of Check.
 */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct TTest {
	const char *name;
	void (*run)(int i);
	const char *file;
} TTest;

typedef struct Suite {
	const char *name;
	const TTest *test[64];
	int tests;
	unsigned seconds;
	int failed;
} Suite, TCase, SRunner;

#define START_TEST(test)                                                                           \
	static void test##_run(int _i);                                                            \
	static const TTest test##_test = {#test, test##_run, __FILE__};                            \
	static const TTest *test = &test##_test;                                                   \
	static void test##_run(int _i __attribute__((unused)))
#define END_TEST

enum { CK_ENV, CHECK_SAID = 512 };

/* Why a test failed: shared with its process. */
extern char *check_said;
char *check_said __attribute__((weak));

static inline _Noreturn __attribute__((format(printf, 1, 2))) void ck_abort_msg(const char *why,
										...)
{
	va_list arguments;

	va_start(arguments, why);
	vsnprintf(check_said, CHECK_SAID, why, arguments);
	_exit(1);
}

#define ck_assert_msg(holds, ...)                                                                  \
	do {                                                                                       \
		if (!(holds))                                                                      \
			ck_abort_msg(__VA_ARGS__);                                                 \
	} while (0)
#define ck_assert(holds) ck_assert_msg(holds, "line %d: %s", __LINE__, #holds)

#define CHECK_NUMBERS(type, format, a, relation, b)                                                \
	do {                                                                                       \
		type _a = (a), _b = (b);                                                           \
		ck_assert_msg(_a relation _b, "line %d: %s is %" format ", %s is %" format,        \
			      __LINE__, #a, _a, #b, _b);                                           \
	} while (0)
#define ck_assert_int_eq(a, b) CHECK_NUMBERS(intmax_t, PRIdMAX, a, ==, b)
#define ck_assert_int_ne(a, b) CHECK_NUMBERS(intmax_t, PRIdMAX, a, !=, b)
#define ck_assert_int_lt(a, b) CHECK_NUMBERS(intmax_t, PRIdMAX, a, <, b)
#define ck_assert_int_le(a, b) CHECK_NUMBERS(intmax_t, PRIdMAX, a, <=, b)
#define ck_assert_int_gt(a, b) CHECK_NUMBERS(intmax_t, PRIdMAX, a, >, b)
#define ck_assert_int_ge(a, b) CHECK_NUMBERS(intmax_t, PRIdMAX, a, >=, b)
#define ck_assert_uint_eq(a, b) CHECK_NUMBERS(uintmax_t, PRIuMAX, a, ==, b)
#define ck_assert_uint_lt(a, b) CHECK_NUMBERS(uintmax_t, PRIuMAX, a, <, b)
#define ck_assert_uint_le(a, b) CHECK_NUMBERS(uintmax_t, PRIuMAX, a, <=, b)
#define ck_assert_uint_gt(a, b) CHECK_NUMBERS(uintmax_t, PRIuMAX, a, >, b)
#define ck_assert_uint_ge(a, b) CHECK_NUMBERS(uintmax_t, PRIuMAX, a, >=, b)
#define ck_assert_ptr_eq(a, b) ck_assert((const void *)(a) == (const void *)(b))
#define ck_assert_ptr_ne(a, b) ck_assert((const void *)(a) != (const void *)(b))
#define ck_assert_ptr_null(a) ck_assert(!(a))
#define ck_assert_ptr_nonnull(a) ck_assert(a)
#define ck_assert_mem_eq(a, b, n) ck_assert(!memcmp(a, b, n))
#define ck_assert_str_eq(a, b)                                                                     \
	do {                                                                                       \
		const char *_a = (a), *_b = (b);                                                   \
		ck_assert_msg(!strcmp(_a, _b), "line %d: \"%s\" is not \"%s\"", __LINE__, _a, _b); \
	} while (0)

static inline Suite *suite_create(const char *name)
{
	static Suite suite;

	suite.name = name;
	return &suite;
}

/* One case a suite: the same thing. */
static inline TCase *tcase_create(const char *name)
{
	return suite_create(name);
}

static inline void suite_add_tcase(Suite *suite, TCase *tcase)
{
	(void)(suite == tcase);
}

static inline SRunner *srunner_create(Suite *suite)
{
	return suite;
}

static inline void tcase_set_timeout(TCase *tcase, unsigned seconds)
{
	const char *times = getenv("CK_TIMEOUT_MULTIPLIER");

	tcase->seconds = seconds * (times ? (unsigned)atoi(times) : 1);
}

static inline void tcase_add_test(TCase *tcase, const TTest *test)
{
	if (tcase->tests == (int)(sizeof(tcase->test) / sizeof(tcase->test[0])))
		abort();
	tcase->test[tcase->tests++] = test;
}

static inline int check_one(const TTest *test, unsigned seconds)
{
	int status = -1;
	pid_t child;

	*check_said = '\0';
	child = fork();
	if (!child) {
		alarm(seconds);
		test->run(0);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	if (status && !*check_said)
		snprintf(check_said, CHECK_SAID, "ended with status %x", (unsigned)status);
	return status;
}

static inline void srunner_run_all(SRunner *runner, int how)
{
	const char *name = getenv("CK_TAP_LOG_FILE_NAME");
	FILE *tap = name ? fopen(name, "w") : stdout;

	(void)how;
	check_said =
		mmap(NULL, CHECK_SAID, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!tap || check_said == MAP_FAILED)
		abort();
	setvbuf(tap, NULL, _IONBF, 0);
	for (int i = 0; i < runner->tests; i++) {
		int status = check_one(runner->test[i], runner->seconds);

		runner->failed += status != 0;
		fprintf(tap, "%s %d - %s:%s:%s: %s\n", status ? "not ok" : "ok", i + 1,
			runner->test[i]->file, runner->name, runner->test[i]->name,
			status ? check_said : "Passed");
	}
	fprintf(tap, "1..%d\n", runner->tests);
}

static inline int srunner_ntests_failed(SRunner *runner)
{
	return runner->failed;
}

static inline void srunner_free(SRunner *runner)
{
	(void)runner;
}

#endif
