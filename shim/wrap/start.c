/*
 * start.c - the beginning and the end of the library. The only file that reads the environment.
 *
 * The constructor runs before all others (the library is linked with -z initfirst), so libc's
 * own `environ` may not be set yet: glibc hands the environment to constructors.
 */
#include "wrap.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

bool started;

extern char **environ;

enum { PROG_ROOM = 256 };

static char *value_of(char **envp, const char *name)
{
	size_t n = strlen(name);

	for (; envp && *envp; envp++)
		if (!strncmp(*envp, name, n) && (*envp)[n] == '=')
			return *envp + n + 1;
	return NULL;
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
		.rules = value_of(envp, "NOCACHE_RULES"),
		.rules_file = value_of(envp, "NOCACHE_RULES_FILE"),
		.log = value_of(envp, "NOCACHE_LOG"),
		.log_format = value_of(envp, "NOCACHE_LOG_FORMAT"),
		.prog = program(),
	};

	next_begin();
	started = true;
	if (!getauxval(AT_SECURE) && !(disable && *disable))
		engine_begin(&environment);
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
	engine_exit();
}
