/* config.c - reading the user's wishes, and saying what could not be understood. */
#include "config.h"

#include "log.h"
#include "pool.h"
#include "procfs.h"
#include "sys.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>

enum { STRINGS_ROOM = 16 * 1024, FILE_MAX = 1024 * 1024 };

struct config config;

static char strings[STRINGS_ROOM];
static char directory[4096];

static bool is_set(const char *s)
{
	return s && *s;
}

/*
 * Whether the parent process is preloaded too: then it has complained already. Its environment
 * is as it was when it was executed (proc(5)).
 */
static bool parent_has_us(void)
{
	static const char name[] = "libnocache.so";
	char *scratch = scratch_take();
	size_t matched = 0;
	struct text path;
	long fd, n;

	if (!scratch)
		return false;
	path = text_over(scratch, SCRATCH_SIZE);
	text_string(&path, "/proc/");
	text_signed(&path, sys_getppid());
	text_string(&path, "/environ");
	fd = sys_openat(AT_FDCWD, text_end(&path), O_RDONLY | O_CLOEXEC, 0);
	while (!sys_failed(fd) && name[matched] &&
	       (n = sys_read((int)fd, scratch, SCRATCH_SIZE)) > 0)
		for (long i = 0; i < n && name[matched]; i++)
			matched = scratch[i] == name[matched] ? matched + 1 : scratch[i] == name[0];
	if (!sys_failed(fd))
		sys_close((int)fd);
	scratch_give(scratch);
	return !name[matched];
}

static bool first_of_tree(void)
{
	static int answer;

	if (!answer)
		answer = parent_has_us() ? 1 : 2;
	return answer == 2;
}

static void complain_of(const char *place, const char *thing, const char *detail)
{
	char line[512];
	struct text text = text_over(line, sizeof(line) - 1);

	if (!first_of_tree())
		return;
	text_string(&text, "nocache: ");
	text_string(&text, place);
	text_string(&text, ": ");
	text_string(&text, thing);
	text_string(&text, detail);
	line[text_length(&text)] = '\n';
	log_complain(line, text_length(&text) + 1);
}

static void complain_of_rule(const struct rules_error *error, void *data)
{
	char place[128];
	struct text text = text_over(place, sizeof(place));

	(void)data;
	text_string(&text, error->source);
	text_string(&text, ", rule ");
	text_signed(&text, error->rule);
	text_string(&text, ", byte ");
	text_unsigned(&text, error->byte);
	complain_of(text_end(&text), error->message, "");
}

static void read_rules_file(const char *path, const struct rules_context *context)
{
	long memory = sys_map(FILE_MAX), n = 0, held = 0;
	long fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);

	if (sys_failed(memory) || sys_failed(fd)) {
		complain_of("NOCACHE_RULES_FILE", "cannot read ", path);
	} else {
		while (held < FILE_MAX && (n = sys_read((int)fd, (char *)memory + held,
							(size_t)(FILE_MAX - held))) > 0)
			held += n;
		if (sys_failed(n) || held == FILE_MAX)
			complain_of("NOCACHE_RULES_FILE", "cannot read all of ", path);
		rules_parse(&config.rules, (char *)memory, (size_t)held, "NOCACHE_RULES_FILE", true,
			    context, complain_of_rule, NULL);
	}
	if (!sys_failed(fd))
		sys_close((int)fd);
	if (!sys_failed(memory))
		sys_unmap((void *)memory, FILE_MAX);
}

static bool text_holds(const char *s, char c)
{
	while (s && *s && *s != c)
		s++;
	return s && *s == c;
}

static void read_rules(const struct environment *environment)
{
	struct rules_context context = {.directory = directory};
	const char *rules = environment->rules, *file = environment->rules_file;

	if (!is_set(rules) && !is_set(file))
		rules = "* auto";
	if (is_set(file) || text_holds(rules, '%'))
		context.ram = procfs_memory();
	if (is_set(rules))
		rules_parse(&config.rules, rules, text_len(rules), "NOCACHE_RULES", false, &context,
			    complain_of_rule, NULL);
	if (is_set(file))
		read_rules_file(file, &context);
}

/* What the rules need to know of a file beyond its name. */
static void survey_rules(void)
{
	const struct rule *first = config.rules.rule;

	config.nothing_to_do = !config.rules.count || (first->any && !first->conditions &&
						       first->treatment.policy == POLICY_OFF);
	for (int i = 0; i < config.rules.count; i++) {
		const struct rule *rule = &config.rules.rule[i];

		for (int j = 0; j < rule->conditions; j++)
			config.need_mode |= rule->condition[j].test == TEST_MODE;
		config.any_buffered |= rule->treatment.policy == POLICY_BUFFERED;
		config.all_buffered |= rule == first && rule->any && !rule->conditions &&
				       rule->treatment.policy == POLICY_BUFFERED;
	}
}

static bool asked_for_json(const char *format)
{
	if (!is_set(format) || text_equal(format, "text"))
		return false;
	if (text_equal(format, "json"))
		return true;
	complain_of("NOCACHE_LOG_FORMAT", "unknown format ", format);
	return false;
}

void config_begin(struct environment *environment)
{
	config.prog = environment->prog;
	if (sys_failed(sys_getcwd(directory, sizeof(directory))) || directory[0] != '/')
		directory[0] = '\0';
	log_begin(environment->log, directory, environment->prog);
	if (asked_for_json(environment->log_format))
		log_as_json();
	rules_begin(&config.rules, strings, STRINGS_ROOM);
	read_rules(environment);
	survey_rules();
	if (log_wanted() && sys_failed(log_try()))
		complain_of("NOCACHE_LOG", "cannot write ", environment->log);
}
