/* test_record.c - log records: keys, order, dates and names to the byte. */
#include "record.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char memory[RECORD_MAX + 1];

static const struct record_head head = {
	.time = 1709164799123456789, .pid = 42, .prog = "cp"}; /* 2024-02-28T23:59:59.123Z */

static const struct record example = {
	.path = "/data/big",
	.fs = "ext4",
	.mode = "rw",
	.policy = "dontneed",
	.asked = "auto",
	.reason = "auto",
	.size = 1,
	.read = 2,
	.written = 3,
	.reads = 4,
	.writes = 5,
	.direct = 6,
	.bounced = 7,
	.cached_before = -1,
	.cached_after = 9,
	.dirty_after = 10,
	.peak = 11,
	.dropped = 12,
	.files = 13,
	.swap_in = 14,
	.swap_out = 15,
	.secs = 1000001999,
};

/* The whole line, which always fits and ends with its newline. */
static const char *compose(bool json, enum record_type type, const struct record_head *first,
			   const struct record *record)
{
	struct text line = text_over(memory, RECORD_MAX);

	record_compose(&line, json, type, first, record);
	ck_assert(!line.cut);
	ck_assert_uint_le(text_length(&line), RECORD_MAX);
	memory[text_length(&line)] = '\0';
	ck_assert_int_eq(memory[text_length(&line) - 1], '\n');
	return memory;
}

START_TEST(file_record_as_text)
{
	/* Expects every key that libnocache(7) lists, in its order. */
	ck_assert_str_eq(compose(false, RECORD_file, &head, &example),
			 "v=1 type=file time=2024-02-28T23:59:59.123Z pid=42 prog=cp "
			 "path=/data/big fs=ext4 mode=rw policy=dontneed asked=auto reason=auto "
			 "size=1 read=2 written=3 reads=4 writes=5 direct=6 bounced=7 "
			 "cached_before=-1 cached_after=9 dirty_after=10 peak=11 dropped=12 "
			 "secs=1.000001\n");
}
END_TEST

START_TEST(file_record_as_json)
{
	/* Expects the same keys; words in quotes, numbers not. */
	ck_assert_str_eq(
		compose(true, RECORD_file, &head, &example),
		"{\"v\":1,\"type\":\"file\",\"time\":\"2024-02-28T23:59:59.123Z\",\"pid\":42,"
		"\"prog\":\"cp\",\"path\":\"/data/big\",\"fs\":\"ext4\",\"mode\":\"rw\","
		"\"policy\":\"dontneed\",\"asked\":\"auto\",\"reason\":\"auto\",\"size\":1,"
		"\"read\":2,\"written\":3,\"reads\":4,\"writes\":5,\"direct\":6,\"bounced\":7,"
		"\"cached_before\":-1,\"cached_after\":9,\"dirty_after\":10,\"peak\":11,"
		"\"dropped\":12,\"secs\":1.000001}\n");
}
END_TEST

START_TEST(process_record_as_text)
{
	/* Expects the keys of the process in their order. */
	ck_assert_str_eq(compose(false, RECORD_process, &head, &example),
			 "v=1 type=process time=2024-02-28T23:59:59.123Z pid=42 prog=cp files=13 "
			 "read=2 written=3 direct=6 bounced=7 dropped=12 cached_before=-1 "
			 "cached_after=9 swap_in=14 swap_out=15 secs=1.000001\n");
}
END_TEST

START_TEST(process_record_as_json)
{
	/* Expects the same keys. */
	ck_assert_str_eq(compose(true, RECORD_process, &head, &example),
			 "{\"v\":1,\"type\":\"process\",\"time\":\"2024-02-28T23:59:59.123Z\","
			 "\"pid\":42,\"prog\":\"cp\",\"files\":13,\"read\":2,\"written\":3,"
			 "\"direct\":6,\"bounced\":7,\"dropped\":12,\"cached_before\":-1,"
			 "\"cached_after\":9,\"swap_in\":14,\"swap_out\":15,\"secs\":1.000001}\n");
}
END_TEST

/* The date of `seconds` since 1970. */
static void expect_date(int64_t seconds, const char *date)
{
	struct record_head at = head;
	char word[64];

	at.time = seconds * 1000000000;
	snprintf(word, sizeof(word), " time=%s.000Z ", date);
	ck_assert_ptr_nonnull(strstr(compose(false, RECORD_process, &at, &example), word));
}

START_TEST(dates_are_right)
{
	/* Expects the epoch, leap days, and the days around those that are left out. */
	expect_date(0, "1970-01-01T00:00:00");
	expect_date(86399, "1970-01-01T23:59:59");
	expect_date(951782400, "2000-02-29T00:00:00");
	expect_date(1709164800, "2024-02-29T00:00:00");
	expect_date(1709251200, "2024-03-01T00:00:00");
	expect_date(1735689599, "2024-12-31T23:59:59");
	expect_date(1735689600, "2025-01-01T00:00:00");
	expect_date(4107455999, "2100-02-27T23:59:59");
	expect_date(4107542400, "2100-03-01T00:00:00");
	expect_date(9214646400, "2262-01-01T00:00:00");
}
END_TEST

/* What becomes of the path, between its key and the next. */
static void expect_path(bool json, const char *path, const char *escaped)
{
	struct record record = example;
	char word[256];

	record.path = path;
	snprintf(word, sizeof(word), json ? "\"path\":\"%s\",\"fs\"" : " path=%s fs=", escaped);
	ck_assert_ptr_nonnull(strstr(compose(json, RECORD_file, &head, &record), word));
}

START_TEST(what_would_break_a_line_is_escaped)
{
	/* Expects %XX for control characters and %, in text for blanks too. */
	expect_path(false, "/a b%c\td\n\x01\x7f", "/a%20b%25c%09d%0A%01%7F");
	expect_path(true, "/a b%c\td\n\x01\x7f", "/a b%25c%09d%0A%01%7F");
	expect_path(false, "/\xc2\x80\xc2\x9f", "/%C2%80%C2%9F");
	expect_path(true, "/\xc2\x80\xc2\x9f", "/%C2%80%C2%9F");
	expect_path(false, "/\"q\"\\=", "/\"q\"\\=");
	expect_path(true, "/\"q\"\\=", "/\\\"q\\\"\\\\=");
	expect_path(false, "", "");
}
END_TEST

START_TEST(valid_utf8_is_kept)
{
	/*
	 * Expects the least (of two bytes: no control character) and the most of each length, and
	 * what is around the surrogates.
	 */
	static const char *const kept[] = {
		"\xc2\xa0",         "\xdf\xbf",         "\xe0\xa0\x80",
		"\xed\x9f\xbf",     "\xee\x80\x80",     "\xef\xbf\xbf",
		"\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "/\xc3\xa9t\xc3\xa9"};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		expect_path(false, kept[i], kept[i]);
		expect_path(true, kept[i], kept[i]);
	}
}
END_TEST

START_TEST(invalid_utf8_is_escaped)
{
	/* Expects a %XX for each byte: overlong, surrogate, too large, lone, and cut short. */
	static const char *const bad[][2] = {
		{"\xc0\x80", "%C0%80"},
		{"\xc1\xbf", "%C1%BF"},
		{"\xe0\x9f\xbf", "%E0%9F%BF"},
		{"\xed\xa0\x80", "%ED%A0%80"},
		{"\xf0\x8f\xbf\xbf", "%F0%8F%BF%BF"},
		{"\xf4\x90\x80\x80", "%F4%90%80%80"},
		{"\xf5\x80\x80\x80", "%F5%80%80%80"},
		{"\x80", "%80"},
		{"\xff", "%FF"},
		{"a\xc3", "a%C3"},
		{"\xe2\x82", "%E2%82"},
		{"\xe2\x82z", "%E2%82z"},
		{"\xf0\x9f\x98", "%F0%9F%98"},
		{"\xf0\x9f\xc3\xa9", "%F0%9F\xc3\xa9"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		expect_path(false, bad[i][0], bad[i][1]);
		expect_path(true, bad[i][0], bad[i][1]);
	}
}
END_TEST

static char long_path[4096];

/* A path of 4095 bytes made of `unit`. */
static struct record longest(const char *unit)
{
	struct record record = example;

	for (size_t i = 0; i < sizeof(long_path) - 1; i++)
		long_path[i] = unit[i % strlen(unit)];
	record.path = long_path;
	record.size = record.read = record.written = record.reads = INT64_MIN;
	record.writes = record.direct = record.bounced = record.cached_before = INT64_MIN;
	record.cached_after = record.dirty_after = record.peak = record.dropped = INT64_MIN;
	record.secs = INT64_MAX;
	return record;
}

START_TEST(long_path_is_cut_in_its_middle)
{
	/* Expects one line with the path's start and end, whatever its bytes become. */
	static const char *const units[] = {"\n", "/", "\xf0\x9f\x98\x80", "ab\xff", "\"", "\\"};
	struct record_head at = head;
	char prog[256];

	memset(prog, '\n', sizeof(prog) - 1);
	prog[sizeof(prog) - 1] = '\0';
	at.prog = prog;
	at.pid = INT64_MIN;
	for (int i = 0; i < 12; i++) {
		struct record record = longest(units[i / 2]);
		const char *line;

		memcpy(long_path, "/first/", 7);
		memcpy(long_path + sizeof(long_path) - 6, "/last", 5);
		line = compose(i % 2, RECORD_file, &at, &record);
		ck_assert_ptr_nonnull(strstr(line, "/first/"));
		ck_assert_ptr_nonnull(strstr(line, "..."));
		ck_assert_ptr_nonnull(strstr(line, i % 2 ? "/last\",\"fs\"" : "/last fs="));
		ck_assert_ptr_nonnull(strstr(line, i % 2 ? "\"secs\":" : "secs="));
	}
}
END_TEST

START_TEST(json_is_json)
{
	/* Expects python's parser to read the records, each with its path. */
	static const char *const names[] = {"/a\"b\\c\n\x01", "\xff\xc3\xa9%", "\xf0\x9f\x98\x80",
					    ""};
	FILE *python;

	if (system("python3 -c '' 2>/dev/null"))
		return;
	python = popen("python3 -c '\n"
		       "import json, sys\n"
		       "for line in sys.stdin.buffer:\n"
		       "    r = json.loads(line.decode())\n"
		       "    assert list(r)[:6] == \"v type time pid prog path\".split()\n"
		       "    assert type(r[\"secs\"]) is float and r[\"peak\"] == 11'",
		       "w");
	for (int i = 0; i < 4; i++) {
		struct record record = example;

		record.path = names[i];
		fputs(compose(true, RECORD_file, &head, &record), python);
	}
	ck_assert_int_eq(pclose(python), 0);
}
END_TEST

UNIT_MAIN("record", file_record_as_text, file_record_as_json, process_record_as_text,
	  process_record_as_json, dates_are_right, what_would_break_a_line_is_escaped,
	  valid_utf8_is_kept, invalid_utf8_is_escaped, long_path_is_cut_in_its_middle, json_is_json)
