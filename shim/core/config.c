/* config.c - reading the user's wishes, and saying what could not be understood. */
#include "config.h"

#include "log.h"
#include "log_place.h"
#include "procfs.h"
#include "sys.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

/* Bytes of all patterns and globs together, and of a file of rules. */
enum { STRINGS_ROOM = 16 * 1024, FILE_MAX = 1024 * 1024 };

struct config config;

static char strings[STRINGS_ROOM];
static char directory[4096];

static bool is_set(const char *s)
{
	return s && *s;
}

static void complain_of(struct setting *setting, const char *place, const char *thing,
			const char *detail)
{
	char line[512];
	struct text text = text_over(line, sizeof(line) - 1); /* the last byte is the line's end */

	setting->bad = true;
	if (setting->said)
		return;
	text_string(&text, "nocache: ");
	text_string(&text, place);
	text_string(&text, ": ");
	text_string(&text, thing);
	text_string(&text, detail);
	text.end++;
	text_byte(&text, '\n');
	log_place_complain(&text);
}

static void complain_of_rule(const struct rules_error *error, void *data)
{
	char place[128];
	struct text text = text_over(place, sizeof(place));

	text_string(&text, error->source);
	text_string(&text, ", rule ");
	text_signed(&text, error->rule);
	text_string(&text, ", byte ");
	text_unsigned(&text, error->byte);
	complain_of(data, text_end(&text), error->message, "");
}

static int read_rules_file(struct setting *setting, const struct rules_context *context)
{
	long memory = sys_map(FILE_MAX), n = 0, held = 0;
	int bad = 1;
	long fd = sys_openat(AT_FDCWD, setting->value, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);

	if (sys_failed(memory) || sys_failed(fd)) {
		complain_of(setting, "NOCACHE_RULES_FILE", "cannot read ", setting->value);
	} else {
		while (held < FILE_MAX && (n = sys_read((int)fd, (char *)memory + held,
							(size_t)(FILE_MAX - held))) > 0)
			held += n;
		if (sys_failed(n) || held == FILE_MAX)
			complain_of(setting, "NOCACHE_RULES_FILE", "cannot read all of ",
				    setting->value);
		bad = rules_parse(&config.rules, (char *)memory, (size_t)held, "NOCACHE_RULES_FILE",
				  true, context, complain_of_rule, setting);
	}
	if (!sys_failed(fd))
		sys_close((int)fd);
	if (!sys_failed(memory))
		sys_unmap((void *)memory, FILE_MAX);
	return bad;
}

/* Returns how many rules were given, good or bad. */
static int read_rules(struct environment *environment)
{
	struct rules_context context = {.directory = directory};
	const char *rules = environment->rules.value, *file = environment->rules_file.value;
	int bad = 0;

	if (is_set(file) || (is_set(rules) && strchr(rules, '%')))
		context.ram = procfs_memory();
	if (is_set(rules))
		bad = rules_parse(&config.rules, rules, strlen(rules), "NOCACHE_RULES", false,
				  &context, complain_of_rule, &environment->rules);
	if (is_set(file))
		bad += read_rules_file(&environment->rules_file, &context);
	return config.rules.count + bad;
}

static void default_rules(void)
{
	static const char text[] = "* auto";
	struct rules_context context = {.directory = NULL};

	rules_parse(&config.rules, text, sizeof(text) - 1, "", false, &context, complain_of_rule,
		    NULL);
}

/* What the rules need to know of a file beyond its name. */
static void survey_rules(void)
{
	const struct rule *first = config.rules.rule;

	config.nothing_to_do = !config.rules.count || (first->any && !first->conditions &&
						       first->treatment.policy == POLICY_OFF);
	for (int i = 0; i < config.rules.count; i++) {
		const struct rule *rule = &config.rules.rule[i];

		for (int j = 0; j < rule->conditions; j++) {
			config.need_mode |= rule->condition[j].test == TEST_MODE;
			config.need_size |= rule->condition[j].test == TEST_SIZE_AT_LEAST ||
					    rule->condition[j].test == TEST_SIZE_BELOW;
		}
		config.any_relaxed |= rule->treatment.relaxed;
		config.all_buffered |= rule == first && rule->any && !rule->conditions &&
				       rule->treatment.policy == POLICY_BUFFERED;
	}
}

static bool asked_for_json(struct setting *setting)
{
	const char *format = setting->value;

	if (!is_set(format) || text_equal(format, "text"))
		return false;
	if (text_equal(format, "json"))
		return true;
	complain_of(setting, "NOCACHE_LOG_FORMAT", "unknown format ", format);
	return false;
}

void config_begin(struct environment *environment)
{
	config.prog = environment->prog;
	if (sys_failed(sys_getcwd(directory, sizeof(directory))) || directory[0] != '/')
		directory[0] = '\0';
	log_begin(environment->log.value, directory, environment->prog);
	if (asked_for_json(&environment->log_format))
		log_as_json();
	rules_begin(&config.rules, strings, STRINGS_ROOM);
	if (!read_rules(environment))
		default_rules();
	survey_rules();
	if (log_wanted() && sys_failed(log_try()))
		complain_of(&environment->log, "NOCACHE_LOG", "cannot write ",
			    environment->log.value);
}
