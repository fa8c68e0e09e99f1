/*
 * record.c - fuzz target: whatever the bytes of its names, a log record is one line that fits, is
 * valid UTF-8 without control characters, and gives the names back.
 *
 * The first line of an input is the program's name, the rest the path. The path is also tried
 * repeated, until it has to be cut. The numbers are the longest there are.
 */
#include "record.h"
#include "fuzz.h"

#include <string.h>

enum { LONG = 4095, CUT_FROM = 2900 }; /* a name's escaped form is only cut if it is long */

/* The record whose numbers need the most room. */
static struct record longest(const char *path)
{
	struct record record = {.path = path,
				.fs = "ext4",
				.mode = "rw",
				.policy = "dontcache",
				.asked = "dontcache",
				.reason = "a-long-word-for-it"};

#define RECORD_WORD(type, key)
#define RECORD_NAME(type, key)
#define RECORD_NUMBER(type, key) record.key = INT64_MIN;
#define RECORD_SECONDS(type, key) record.key = INT64_MAX;
#include "records.def"
#undef RECORD_WORD
#undef RECORD_NAME
#undef RECORD_NUMBER
#undef RECORD_SECONDS
	return record;
}

/* The code point at *s, moving *s past it; fails where the bytes are not UTF-8. */
static unsigned take_code_point(const unsigned char **s, const unsigned char *end)
{
	static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned point = *(*s)++, length = 1;

	if (point < 0x80)
		return point;
	HOLDS(point >= 0xc0 && point < 0xf8);
	length = point >= 0xf0 ? 4 : point >= 0xe0 ? 3 : 2;
	point &= 0x7fu >> length;
	for (unsigned i = 1; i < length; i++) {
		HOLDS(*s < end && (**s & 0xc0) == 0x80);
		point = point << 6 | (*(*s)++ & 0x3f);
	}
	HOLDS(point >= least[length] && point <= 0x10ffff);
	HOLDS(point < 0xd800 || point > 0xdfff);
	return point;
}

static void check_characters(const char *line, size_t n)
{
	const unsigned char *s = (const unsigned char *)line, *end = s + n;

	while (s < end) {
		unsigned point = take_code_point(&s, end);

		HOLDS(point >= ' ' && (point < 0x7f || point > 0x9f));
	}
}

static int digit(char c)
{
	HOLDS((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'));
	return c <= '9' ? c - '0' : c - 'A' + 10;
}

/* Decodes the value at `s`, up to the byte that ends it, into `out`; returns where it ends. */
static const char *decode(const char *s, char stop, struct text *out)
{
	for (; *s != stop && *s != '\n'; s++)
		if (*s == '%') {
			text_byte(out, (char)(digit(s[1]) << 4 | digit(s[2])));
			s += 2;
		} else {
			s += stop == '"' && *s == '\\';
			text_byte(out, *s);
		}
	HOLDS(*s == stop);
	return s;
}

/* Whether `seen` is a start of the name, three dots and an end of it. */
static bool is_cut_form(const struct text *seen, const char *name)
{
	size_t n = text_length(seen), length = strlen(name);

	for (size_t i = 0; i + 3 <= n && i <= length; i++) {
		size_t tail = n - i - 3;

		if (!memcmp(seen->start + i, "...", 3) && tail <= length &&
		    !memcmp(seen->start + i + 3, name + length - tail, tail))
			return true;
		if (seen->start[i] != name[i])
			return false;
	}
	return false;
}

/* The value of a key gives the name back, whole or, where it may be, cut. */
static void check_name(const char *line, const char *key, char stop, const char *name, size_t most)
{
	char memory[RECORD_MAX];
	struct text seen = text_over(memory, sizeof(memory));
	const char *value = strstr(line, key), *end;

	HOLDS(value);
	value += strlen(key);
	end = decode(value, stop, &seen);
	if (text_length(&seen) == strlen(name) && !memcmp(memory, name, strlen(name)))
		return;
	HOLDS((size_t)(end - value) >= most);
	HOLDS(is_cut_form(&seen, name));
}

static size_t count(const char *line, char c)
{
	size_t n = 0;

	for (; *line; line++)
		n += *line == c;
	return n;
}

static void check_json(const char *line, const struct record_head *head, const char *path)
{
	HOLDS(*line == '{' && !strcmp(strchr(line, '\0') - 2, "}\n"));
	check_name(line, "\"prog\":\"", '"', head->prog, 200);
	if (path)
		check_name(line, "\"path\":\"", '"', path, CUT_FROM);
}

/* One blank between two words, and as many words as there are keys. */
static void check_words(const char *line, const struct record_head *head, const char *path)
{
	size_t blanks = 4;

#define RECORD_WORD(type, key) blanks += (RECORD_##type == RECORD_file) == !!path;
#define RECORD_NAME RECORD_WORD
#define RECORD_NUMBER RECORD_WORD
#define RECORD_SECONDS RECORD_WORD
#include "records.def"
	HOLDS(count(line, ' ') == blanks);
	check_name(line, " prog=", ' ', head->prog, 200);
	if (path)
		check_name(line, " path=", ' ', path, CUT_FROM);
}

/* Composes a record and checks all that holds of it; `path` NULL: of a process. */
static void check(const char *prog, const char *path, bool json)
{
	struct record_head head = {.time = INT64_MAX, .pid = INT64_MIN, .prog = prog};
	struct record record = longest(path);
	char *memory = malloc(RECORD_MAX), line[RECORD_MAX + 1];
	struct text text = text_over(memory, RECORD_MAX);
	size_t n;

	record_compose(&text, json, path ? RECORD_file : RECORD_process, &head, &record);
	n = text_length(&text);
	HOLDS(!text.cut && n > 0 && n <= RECORD_MAX);
	HOLDS(memchr(memory, '\n', n) == memory + n - 1);
	check_characters(memory, n - 1);
	memcpy(line, memory, n);
	line[n] = '\0';
	(json ? check_json : check_words)(line, &head, path);
	free(memory);
}

static void check_both(const char *prog, const char *path)
{
	check(prog, path, false);
	check(prog, path, true);
}

/* The path as often as a long one has room for it. */
static char *repeated(const char *path, size_t n)
{
	char *out = malloc(LONG + n + 1), *at = out;

	do {
		memcpy(at, path, n + 1);
		at += n;
	} while (n && at - out + n <= LONG);
	return out;
}

static char *string(const unsigned char *data, size_t n)
{
	char *out = malloc(n + 1);

	memcpy(out, data, n);
	out[n] = '\0';
	return out;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	const unsigned char *newline = n ? memchr(data, '\n', n) : NULL;
	size_t line = newline ? (size_t)(newline - data) : n, rest = newline ? n - line - 1 : 0;
	char *prog = string(data, line), *path = string(data + n - rest, rest);
	char *many = repeated(path, strlen(path));

	check_both(prog, NULL);
	check_both(prog, path);
	check_both(prog, many);
	free(many);
	free(path);
	free(prog);
	return 0;
}
