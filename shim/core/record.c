/* record.c - log records as text or JSON. */
#include "record.h"

/* Of RECORD_MAX; all that is not a name needs less than 800 bytes. */
enum { PATH_ROOM = 3000, PROG_ROOM = 256 };

static void key(struct text *line, bool json, const char *name)
{
	if (text_length(line))
		text_byte(line, json ? ',' : ' ');
	else if (json)
		text_byte(line, '{');
	if (json)
		text_byte(line, '"');
	text_string(line, name);
	text_string(line, json ? "\":" : "=");
}

static void word(struct text *line, bool json, const char *name, const char *value)
{
	key(line, json, name);
	if (json)
		text_byte(line, '"');
	text_string(line, value);
	if (json)
		text_byte(line, '"');
}

static void number(struct text *line, bool json, const char *name, int64_t value)
{
	key(line, json, name);
	text_signed(line, value);
}

static void seconds(struct text *line, bool json, const char *name, int64_t ns)
{
	key(line, json, name);
	text_unsigned(line, (uint64_t)ns / 1000000000);
	text_byte(line, '.');
	text_padded(line, (uint64_t)ns / 1000 % 1000000, 6);
}

/*
 * The bytes of a multi-byte UTF-8 sequence at `s` (RFC 3629, section 4), or 0; also 0 for U+0080 to
 * U+009F, which are control characters.
 */
static int utf8_sequence(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	int n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	if (s[0] == 0xc2 || s[0] == 0xe0)
		low = 0xa0;
	if (s[0] == 0xed)
		high = 0x9f;
	if (s[0] == 0xf0)
		low = 0x90;
	if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (int i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static bool plain(unsigned char c, bool json)
{
	return c > ' ' && c < 0x7f && c != '%' && !(json && (c == '"' || c == '\\'));
}

/* Appends one character of a name, escaped; returns how many bytes of the name it was. */
static int name_character(struct text *line, bool json, const char *s)
{
	static const char hex[] = "0123456789ABCDEF";
	unsigned char c = (unsigned char)*s;
	int n = c < 0x80 ? 0 : utf8_sequence((const unsigned char *)s);

	if (n) {
		text_bytes(line, s, (size_t)n);
		return n;
	}
	if (plain(c, json) || (json && c == ' ')) {
		text_byte(line, *s);
	} else if (json && (c == '"' || c == '\\')) {
		text_byte(line, '\\');
		text_byte(line, *s);
	} else {
		text_byte(line, '%');
		text_byte(line, hex[c >> 4]);
		text_byte(line, hex[c & 15]);
	}
	return 1;
}

/* The length of the escaped form of the name from `s` on. */
static size_t escaped_length(bool json, const char *s)
{
	char room[8];
	size_t total = 0;

	while (*s) {
		struct text one = text_over(room, sizeof(room));

		s += name_character(&one, json, s);
		total += text_length(&one);
	}
	return total;
}

/* A name that needs more than `most` bytes is cut in its middle. */
static void name_bytes(struct text *line, bool json, const char *s, size_t most)
{
	size_t left = escaped_length(json, s), start = text_length(line);
	char room[8];

	if (left > most) {
		while (text_length(line) - start < most / 2)
			s += name_character(line, json, s);
		text_string(line, "...");
		for (left = escaped_length(json, s); left > most / 2;) {
			struct text skipped = text_over(room, sizeof(room));

			s += name_character(&skipped, json, s);
			left -= text_length(&skipped);
		}
	}
	while (*s)
		s += name_character(line, json, s);
}

static void name(struct text *line, bool json, const char *key_name, const char *value, size_t most)
{
	key(line, json, key_name);
	if (json)
		text_byte(line, '"');
	name_bytes(line, json, value, most);
	if (json)
		text_byte(line, '"');
}

/*
 * The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar. Years here begin
 * in March, so that the leap day is a year's last and five months always have 153 days (Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
 */
static void date(struct text *line, int64_t day)
{
	enum { YEAR = 365, FOUR_YEARS = 1460, CENTURY = 36524, ERA = 146097 }; /* days; 400 years */
	enum { BEFORE_1970 = 719468, FIVE_MONTHS = 153 };
	int64_t since = day + BEFORE_1970, era = since / ERA, of_era = since % ERA;
	int64_t leap_days = of_era / FOUR_YEARS - of_era / CENTURY + of_era / (ERA - 1);
	int64_t year = (of_era - leap_days) / YEAR;
	int64_t of_year = of_era - (YEAR * year + year / 4 - year / 100);
	int64_t march = (5 * of_year + 2) / FIVE_MONTHS; /* months since then */
	int64_t month = march < 10 ? march + 3 : march - 9;

	text_padded(line, (uint64_t)(year + era * 400 + (month <= 2)), 4);
	text_byte(line, '-');
	text_padded(line, (uint64_t)month, 2);
	text_byte(line, '-');
	text_padded(line, (uint64_t)(of_year - (FIVE_MONTHS * march + 2) / 5 + 1), 2);
}

static void clock_part(struct text *line, char before, int64_t value, int width)
{
	text_byte(line, before);
	text_padded(line, (uint64_t)value, width);
}

/* RFC 3339, UTC, milliseconds. */
static void time_word(struct text *line, bool json, int64_t ns)
{
	int64_t second = ns / 1000000000;

	key(line, json, "time");
	if (json)
		text_byte(line, '"');
	date(line, second / 86400);
	clock_part(line, 'T', second / 3600 % 24, 2);
	clock_part(line, ':', second / 60 % 60, 2);
	clock_part(line, ':', second % 60, 2);
	clock_part(line, '.', ns / 1000000 % 1000, 3);
	text_string(line, json ? "Z\"" : "Z");
}

static void head_words(struct text *line, bool json, const char *type,
		       const struct record_head *head)
{
	number(line, json, "v", 1);
	word(line, json, "type", type);
	time_word(line, json, head->time);
	number(line, json, "pid", head->pid);
	name(line, json, "prog", head->prog, PROG_ROOM);
}

void record_compose(struct text *line, bool json, enum record_type type,
		    const struct record_head *head, const struct record *record)
{
	head_words(line, json, type == RECORD_file ? "file" : "process", head);
#define RECORD_WORD(of, k)                                                                         \
	if (type == RECORD_##of)                                                                   \
		word(line, json, #k, record->k);
#define RECORD_NAME(of, k)                                                                         \
	if (type == RECORD_##of)                                                                   \
		name(line, json, #k, record->k, PATH_ROOM);
#define RECORD_NUMBER(of, k)                                                                       \
	if (type == RECORD_##of)                                                                   \
		number(line, json, #k, record->k);
#define RECORD_SECONDS(of, k)                                                                      \
	if (type == RECORD_##of)                                                                   \
		seconds(line, json, #k, record->k);
#include "records.def"
#undef RECORD_WORD
#undef RECORD_NAME
#undef RECORD_NUMBER
#undef RECORD_SECONDS
	text_string(line, json ? "}\n" : "\n");
}
