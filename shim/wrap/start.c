/*
 * start.c - the beginning and the end of the library. The only file that reads the environment.
 *
 * The constructor runs before all others (the library is linked with -z initfirst), so libc's
 * own `environ` may not be set yet: glibc hands the environment to constructors.
 */
#include "stdio.h"
#include "wrap.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

bool started;

extern char **environ;

enum { PROG_ROOM = 256, MARKED_ROOM = 16 * 1024 };

/* Ends the value of a variable that was complained of; no user's value ends so. */
enum { SAID = '\1' };

static char **variable(char **envp, const char *name)
{
	size_t n = strlen(name);

	for (; envp && *envp; envp++)
		if (!strncmp(*envp, name, n) && (*envp)[n] == '=')
			return envp;
	return NULL;
}

static char *value_of(char **envp, const char *name)
{
	char **found = variable(envp, name);

	return found ? *found + strlen(name) + 1 : NULL;
}

/* Takes a variable's value, without the mark while it is read. */
static struct setting take(char **envp, const char *name)
{
	char *value = value_of(envp, name);
	size_t n = value ? strlen(value) : 0;
	bool said = n && value[n - 1] == SAID;

	if (said)
		value[n - 1] = '\0';
	return (struct setting){.value = value, .said = said};
}

/*
 * What was complained of is marked where the programs that this one starts, or turns into, will
 * see it: a line is said once in a process tree. The marked copy stands in for the variable; one
 * that is too long stays as it is, and is complained of again.
 */
static void mark(char **envp, const char *name, const struct setting *setting)
{
	static char marked[MARKED_ROOM];
	static size_t used;
	char **found = setting->bad || setting->said ? variable(envp, name) : NULL;
	size_t n = found ? strlen(*found) : 0;

	if (setting->said)
		(*found)[n] = SAID;
	if (!found || setting->said || n + 2 > MARKED_ROOM - used)
		return;
	memcpy(marked + used, *found, n);
	marked[used + n] = SAID;
	*found = marked + used;
	used += n + 2;
}

/* The program's name: the last part of the path it was executed by (getauxval(3)). */
static const char *program(void)
{
	static char prog[PROG_ROOM];
	const char *path = (const char *)getauxval(AT_EXECFN), *last = path;
	size_t n = 0;

	for (; path && *path; path++)
		if (*path == '/' && path[1])
			last = path + 1;
	for (; last && last[n] && n < PROG_ROOM - 1; n++)
		prog[n] = last[n];
	return n ? prog : "-";
}

static void start_with(char **envp)
{
	const char *disable = value_of(envp, "NOCACHE_DISABLE");
	struct environment environment = {
		.rules = take(envp, "NOCACHE_RULES"),
		.rules_file = take(envp, "NOCACHE_RULES_FILE"),
		.log = take(envp, "NOCACHE_LOG"),
		.log_format = take(envp, "NOCACHE_LOG_FORMAT"),
		.prog = program(),
	};

	next_begin();
	started = true;
	if (!getauxval(AT_SECURE) && !(disable && *disable))
		engine_begin(&environment);
	mark(envp, "NOCACHE_RULES", &environment.rules);
	mark(envp, "NOCACHE_RULES_FILE", &environment.rules_file);
	mark(envp, "NOCACHE_LOG", &environment.log);
	mark(envp, "NOCACHE_LOG_FORMAT", &environment.log_format);
}

void start(void)
{
	if (environ)
		start_with(environ);
	else
		next_begin();
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **envp)
{
	(void)argc;
	(void)argv;
	if (!started)
		start_with(libc_is_glibc() ? envp : environ);
}

__attribute__((destructor)) static void end(void)
{
	/* What putc(3) left there is written after us. */
	count_pending(stdout);
	engine_exit();
}
