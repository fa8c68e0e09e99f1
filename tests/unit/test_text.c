/* test_text.c - texts are composed without a byte outside their memory, and numbers are read. */
#include "text.h"

#include "unit.h"

static char memory[32];

/* A text over the first `size` bytes of memory; the bytes behind are marked. */
static struct text fresh(size_t size)
{
	memset(memory, '#', sizeof memory);
	return text_over(memory, size);
}

START_TEST(bytes_strings_and_numbers_are_appended_in_order)
{
	struct text t = fresh(sizeof memory);

	text_byte(&t, 'a');
	text_bytes(&t, "bcd", 2);
	text_string(&t, "=");
	text_unsigned(&t, 42);
	ck_assert_uint_eq(text_length(&t), 6);
	ck_assert_str_eq(text_end(&t), "abc=42");
	ck_assert(!t.cut);
}
END_TEST

START_TEST(what_does_not_fit_is_cut_and_remembered)
{
	struct text t = fresh(4);

	text_string(&t, "abcdef");
	ck_assert(t.cut);
	ck_assert_uint_eq(text_length(&t), 4);
	ck_assert_mem_eq(memory, "abcd#", 5);
}
END_TEST

START_TEST(what_fits_exactly_is_not_cut)
{
	struct text t = fresh(4);

	text_string(&t, "abcd");
	ck_assert(!t.cut);
	text_byte(&t, 'e');
	ck_assert(t.cut);
	ck_assert_mem_eq(memory, "abcd#", 5);
}
END_TEST

START_TEST(last_byte_gives_way_to_the_end)
{
	struct text t = fresh(4);

	text_string(&t, "abcd");
	ck_assert_str_eq(text_end(&t), "abc");
	ck_assert_uint_eq(text_length(&t), 3);
	ck_assert(t.cut);
	ck_assert_int_eq(memory[4], '#');
}
END_TEST

START_TEST(text_without_memory_ends_as_the_empty_string)
{
	struct text t = fresh(0);

	text_byte(&t, 'a');
	ck_assert_str_eq(text_end(&t), "");
	ck_assert_uint_eq(text_length(&t), 0);
	ck_assert(t.cut);
	ck_assert_int_eq(memory[0], '#');
}
END_TEST

START_TEST(text_goes_on_after_its_end)
{
	struct text t = fresh(8);

	text_string(&t, "ab");
	text_end(&t);
	text_string(&t, "cd");
	ck_assert_str_eq(text_end(&t), "abcd");
}
END_TEST

static void expect_unsigned(uint64_t n, const char *decimal)
{
	struct text t = fresh(sizeof memory);

	text_unsigned(&t, n);
	ck_assert_str_eq(text_end(&t), decimal);
}

START_TEST(unsigned_numbers_from_zero_to_the_largest)
{
	expect_unsigned(0, "0");
	expect_unsigned(9, "9");
	expect_unsigned(10, "10");
	expect_unsigned(UINT64_MAX, "18446744073709551615");
}
END_TEST

static void expect_signed(int64_t n, const char *decimal)
{
	struct text t = fresh(sizeof memory);

	text_signed(&t, n);
	ck_assert_str_eq(text_end(&t), decimal);
}

START_TEST(signed_numbers_from_the_smallest_to_the_largest)
{
	expect_signed(INT64_MIN, "-9223372036854775808");
	expect_signed(-1, "-1");
	expect_signed(0, "0");
	expect_signed(INT64_MAX, "9223372036854775807");
}
END_TEST

static void expect_padded(uint64_t n, int width, const char *decimal)
{
	struct text t = fresh(sizeof memory);

	text_padded(&t, n, width);
	ck_assert_str_eq(text_end(&t), decimal);
}

START_TEST(padding_fills_with_zeros_and_never_cuts_digits)
{
	expect_padded(7, 3, "007");
	expect_padded(0, 2, "00");
	expect_padded(1234, 3, "1234");
	expect_padded(5, 0, "5");
	expect_padded(1, 24, "000000000000000000000001");
}
END_TEST

START_TEST(number_is_read_up_to_the_first_other_byte)
{
	const char *s = "0123K";
	uint64_t n = 0;

	ck_assert(text_read_unsigned(&s, &n));
	ck_assert_uint_eq(n, 123);
	ck_assert_str_eq(s, "K");
}
END_TEST

START_TEST(largest_number_is_read)
{
	const char *s = "18446744073709551615";
	uint64_t n = 0;

	ck_assert(text_read_unsigned(&s, &n));
	ck_assert_uint_eq(n, UINT64_MAX);
	ck_assert_str_eq(s, "");
}
END_TEST

static void expect_no_number(const char *text)
{
	const char *s = text;
	uint64_t n = 5;

	ck_assert(!text_read_unsigned(&s, &n));
	ck_assert_ptr_eq(s, text);
}

START_TEST(no_digit_is_no_number_and_nothing_is_consumed)
{
	expect_no_number("");
	expect_no_number("x1");
	expect_no_number("-1");
	expect_no_number("+1");
	expect_no_number(" 1");
}
END_TEST

START_TEST(number_beyond_64_bits_is_refused_and_nothing_is_consumed)
{
	expect_no_number("18446744073709551616");
	expect_no_number("18446744073709551620");
	expect_no_number("99999999999999999999999999");
}
END_TEST

START_TEST(string_helpers_mean_the_usual)
{
	ck_assert(text_equal("abc", "abc"));
	ck_assert(!text_equal("abc", "abcd"));
	ck_assert(!text_equal("abcd", "abc"));
	ck_assert(text_starts("abc", "ab"));
	ck_assert(text_starts("abc", ""));
	ck_assert(!text_starts("ab", "abc"));
	ck_assert(!text_starts("xab", "ab"));
}
END_TEST

UNIT_MAIN("text", bytes_strings_and_numbers_are_appended_in_order,
	  what_does_not_fit_is_cut_and_remembered, what_fits_exactly_is_not_cut,
	  last_byte_gives_way_to_the_end, text_without_memory_ends_as_the_empty_string,
	  text_goes_on_after_its_end, unsigned_numbers_from_zero_to_the_largest,
	  signed_numbers_from_the_smallest_to_the_largest,
	  padding_fills_with_zeros_and_never_cuts_digits, number_is_read_up_to_the_first_other_byte,
	  largest_number_is_read, no_digit_is_no_number_and_nothing_is_consumed,
	  number_beyond_64_bits_is_refused_and_nothing_is_consumed, string_helpers_mean_the_usual)
