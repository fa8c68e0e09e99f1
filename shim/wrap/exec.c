/* exec.c - calls after which this program is gone, or another one starts. */
#include "wrap.h"

#include <stddef.h>

/* Only a failed exec returns. */
static int not_executed(int result_of_exec)
{
	engine_exec_failed();
	return result_of_exec;
}

#define EXEC(name, parameters, arguments)                                                          \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		ensure_started();                                                                  \
		engine_exec();                                                                     \
		return not_executed(next.name arguments);                                          \
	}

EXEC(execve, (const char *path, char *const *argv, char *const *envp), (path, argv, envp))
EXEC(execv, (const char *path, char *const *argv), (path, argv))
EXEC(execvp, (const char *file, char *const *argv), (file, argv))
EXEC(execvpe, (const char *file, char *const *argv, char *const *envp), (file, argv, envp))
EXEC(fexecve, (int fd, char *const *argv, char *const *envp), (fd, argv, envp))
EXEC(execveat, (int dir, const char *path, char *const *argv, char *const *envp, int flags),
     (dir, path, argv, envp, flags))

/* The arguments of execl and its kin, the last of which is a null pointer. */
static size_t count_arguments(const char *first, va_list list)
{
	va_list copy;
	size_t n = 0;

	va_copy(copy, list);
	for (const char *argument = first; argument; argument = va_arg(copy, char *))
		n++;
	va_end(copy);
	return n;
}

/* Fills argv with `n` arguments and the null pointer behind them; the list stands behind that. */
static void fill_arguments(char **argv, size_t n, const char *first, va_list *list)
{
	argv[0] = (char *)first;
	for (size_t i = 1; i <= n; i++)
		argv[i] = va_arg(*list, char *);
}

/*
 * The forms with a list of arguments are those with a vector; `after` looks at what follows the
 * list. alloca: it must work in a vfork child, where nothing may be allocated or freed.
 */
#define EXECL(name, after, executed)                                                               \
	EXPORT int name(const char *path, const char *argument, ...)                               \
	{                                                                                          \
		char **argv;                                                                       \
		va_list list;                                                                      \
		size_t n;                                                                          \
                                                                                                   \
		va_start(list, argument);                                                          \
		n = count_arguments(argument, list);                                               \
		argv = __builtin_alloca((n + 1) * sizeof(*argv));                                  \
		fill_arguments(argv, n, argument, &list);                                          \
		after;                                                                             \
		va_end(list);                                                                      \
		return executed;                                                                   \
	}

EXECL(execl, , execv(path, argv))
EXECL(execlp, , execvp(path, argv))
EXECL(execle, char *const *envp = va_arg(list, char *const *), execve(path, argv, envp))

#define SPAWN(type, name, parameters, arguments)                                                   \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		ensure_started();                                                                  \
		engine_child();                                                                    \
		return next.name arguments;                                                        \
	}

#define POSIX_SPAWN(name)                                                                          \
	SPAWN(int, name,                                                                           \
	      (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,           \
	       const posix_spawnattr_t *attributes, char *const *argv, char *const *envp),         \
	      (pid, path, actions, attributes, argv, envp))

POSIX_SPAWN(posix_spawn)
POSIX_SPAWN(posix_spawnp)
SPAWN(int, system, (const char *command), (command))
#if defined(__GLIBC__) && !defined(__aarch64__)
POSIX_SPAWN(posix_spawn_old)
POSIX_SPAWN(posix_spawnp_old)
NOW(posix_spawn, "GLIBC_2.15")
NOW(posix_spawnp, "GLIBC_2.15")
#endif

#define EXITS(name)                                                                                \
	EXPORT __attribute__((noreturn)) void name(int status)                                     \
	{                                                                                          \
		ensure_started();                                                                  \
		engine_exit();                                                                     \
		next.name(status);                                                                 \
		__builtin_unreachable();                                                           \
	}

EXITS(_exit)
EXITS(_Exit)
EXITS(quick_exit)
#ifdef __GLIBC__
EXITS(quick_exit_old)
NOW(quick_exit, "GLIBC_2.24")
#endif

/* It may not be the end: a signal handler may jump out of it (abort(3)). */
EXPORT __attribute__((noreturn)) void abort(void)
{
	all_settled();
	next.abort();
	__builtin_unreachable();
}
