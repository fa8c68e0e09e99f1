/*
 * rules.c - fuzz target: whatever the bytes, parsing and matching rules keep what rules.h says.
 *
 * The first line of an input is the path that is asked about, less its first slash; the rest are
 * rules. Texts and memory are as long as they must be, so that AddressSanitizer sees a byte more.
 */
#include "fuzz.h"
#include "rules_check.h"

#include <string.h>

enum { ROOM = 16 * 1024, PRINTED = 256 * 1024 };

/* An odd place to be: its bytes are to be matched as they are. */
static const struct rules_context context = {.directory = "/home/[m]e *\\", .ram = 3 << 20};

/* One parse, and what it complained of. */
struct parse {
	const char *text;
	size_t n;
	char *memory;
	size_t room;
	int complaints;
	int last_rule;
	struct rules rules;
};

static struct parse whole, again, tight, printed;

static void check_error(const struct rules_error *error, void *data)
{
	struct parse *parse = data;

	HOLDS(error->source == parse->text);
	HOLDS(error->rule > parse->last_rule);
	HOLDS(error->byte >= 1 && error->byte <= parse->n + 1);
	HOLDS(memchr(error->message, '\0', sizeof(error->message)));
	HOLDS(*error->message);
	for (const char *c = error->message; *c; c++)
		HOLDS((unsigned char)*c >= ' ' && *c != 0x7f);
	parse->last_rule = error->rule;
	parse->complaints++;
}

static void check_string(const struct parse *parse, const char *s)
{
	HOLDS(s >= parse->memory && s < parse->rules.memory);
	HOLDS(memchr(s, '\0', (size_t)(parse->rules.memory - s)));
	HOLDS(*s && strlen(s) < RULES_GLOB);
	HOLDS(!rules_glob_open_set(s));
}

static void check_rule(const struct parse *parse, const struct rule *rule)
{
	check_string(parse, rule->pattern);
	HOLDS(rule->whole_path == (strchr(rule->pattern, '/') != NULL));
	HOLDS(!rule->whole_path || *rule->pattern == '/' || !strncmp(rule->pattern, "**", 2));
	HOLDS(rule->conditions >= 0 && rule->conditions <= RULES_CONDITIONS);
	for (int i = 0; i < rule->conditions; i++)
		if (rule->condition[i].glob)
			check_string(parse, rule->condition[i].glob);
	HOLDS((unsigned)rule->treatment.policy < POLICY_COUNT);
	HOLDS(rule->treatment.window && rule->treatment.block && rule->treatment.depth);
}

static void check_rules(const struct parse *parse)
{
	const struct rules *rules = &parse->rules;

	HOLDS(rules->count >= 0 && rules->count <= RULES_MAX);
	HOLDS(rules->memory >= parse->memory);
	HOLDS(rules->memory + rules->room == parse->memory + parse->room);
	for (int i = 0; i < rules->count; i++)
		check_rule(parse, &rules->rule[i]);
}

/* Parses into `room` bytes of their own; to be freed. */
static void parse_text(struct parse *parse, const char *text, size_t n, bool comments, size_t room)
{
	int bad;

	parse->text = text;
	parse->n = n;
	parse->memory = malloc(room ? room : 1);
	parse->room = room;
	parse->complaints = parse->last_rule = 0;
	rules_begin(&parse->rules, parse->memory, room);
	bad = rules_parse(&parse->rules, text, n, text, comments, &context, check_error, parse);
	HOLDS(bad == parse->complaints);
	check_rules(parse);
}

static int index_of(const struct rules *rules, const struct treatment *found)
{
	for (int i = 0; i < rules->count; i++)
		if (found == &rules->rule[i].treatment)
			return i;
	HOLDS(!found);
	return -1;
}

static int match(const struct rules *rules, struct rules_subject file, uint64_t size)
{
	file.size = size;
	return index_of(rules, rules_match(rules, &file));
}

/* From the file's size up to the next line the same rule holds. */
static void check_line(const struct rules *rules, const struct rules_subject *file)
{
	uint64_t line = (uint64_t)rules_next_line(rules, file);
	int holds = match(rules, *file, file->size);

	HOLDS(line > file->size);
	HOLDS(match(rules, *file, line - 1) == holds);
	for (int i = 0; i < rules->count; i++)
		for (int j = 0; j < rules->rule[i].conditions; j++) {
			uint64_t at = rules->rule[i].condition[j].number;

			if (at > file->size && at < line)
				HOLDS(match(rules, *file, at) == holds);
		}
}

static void check_subject(const struct rules *rules, struct rules_subject file)
{
	int holds = match(rules, file, file.size);

	check_line(rules, &file);
	if (reference_can(rules, &file))
		HOLDS(reference_match(rules, &file) == holds);
	if (!rules->need_path)
		file.path = NULL;
	if (!rules->need_fs)
		file.fs = NULL;
	HOLDS(match(rules, file, file.size) == holds);
}

static void check_matches(const struct rules *rules, const char *path)
{
	check_subject(rules, (struct rules_subject){path, "ext4", "rsync", 0, ACCESS_READ});
	check_subject(rules, (struct rules_subject){path, "xfs", "cp", 4096, ACCESS_WRITE});
	check_subject(rules,
		      (struct rules_subject){path, NULL, NULL, (uint64_t)1 << 40, ACCESS_BOTH});
}

/* Rules that were parsed mean the same when they are written out and parsed again. */
static void check_printed(const struct rules *rules)
{
	static char text[PRINTED];
	size_t n = rules_print(rules, text, sizeof(text));

	if (!n)
		return;
	parse_text(&printed, text, n, true, 2 * ROOM);
	HOLDS(!printed.complaints);
	HOLDS(rules_same(rules, &printed.rules));
	free(printed.memory);
}

static void check_text(const char *path, const char *text, size_t n, bool comments)
{
	parse_text(&whole, text, n, comments, ROOM);
	parse_text(&again, text, n, comments, ROOM);
	HOLDS(rules_same(&whole.rules, &again.rules));
	HOLDS(whole.complaints == again.complaints);
	check_matches(&whole.rules, path);
	check_printed(&whole.rules);
	parse_text(&tight, text, n, comments, n / 2);
	HOLDS(tight.rules.overflow || rules_same(&whole.rules, &tight.rules));
	free(whole.memory);
	free(again.memory);
	free(tight.memory);
}

/* "/" and the first line, up to its first NUL. */
static char *path_of(const unsigned char *data, size_t line)
{
	char *path = malloc(line + 2);

	path[0] = '/';
	memcpy(path + 1, data, line);
	path[line + 1] = '\0';
	return path;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	const unsigned char *newline = n ? memchr(data, '\n', n) : NULL;
	size_t line = newline ? (size_t)(newline - data) : n, rest = newline ? n - line - 1 : 0;
	char *path = path_of(data, line), *text = malloc(rest ? rest : 1);

	memcpy(text, data + n - rest, rest);
	rules_check_quotes(path);
	check_text(path, text, rest, false);
	check_text(path, text, rest, true);
	free(text);
	free(path);
	return 0;
}
