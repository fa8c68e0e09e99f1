/*
 * tell.c - a library to preload that says which program it was loaded into, and ends that before
 * its first instruction. An env(1) that a script names as its interpreter goes on: it starts that.
 */
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static int ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

__attribute__((constructor)) static void tell(void)
{
	char program[PATH_MAX] = "";
	const char *given = (const char *)getauxval(AT_EXECFN);

	if (readlink("/proc/self/exe", program, sizeof(program) - 1) > 0 &&
	    ends_with(program, "/env") && given && !ends_with(given, "/env"))
		return;
	_exit(write(2, "LOADED\n", 7) == 7 ? 0 : 99);
}
