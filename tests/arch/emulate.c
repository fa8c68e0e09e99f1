/*
 * emulate.c - stands where a program of another machine should be, and starts it in qemu: PROGRAM
 * runs PROGRAM.guest. Static, so that LD_PRELOAD means the program and not this one or qemu.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *joined(const char *a, const char *b)
{
	char *both = malloc(strlen(a) + strlen(b) + 1);

	if (!both)
		_exit(127);
	return strcat(strcpy(both, a), b);
}

int main(int argc, char **argv)
{
	const char *preload = getenv("LD_PRELOAD");
	char **list = calloc((size_t)argc + 6, sizeof(*list)), **at = list;
	char self[4096] = "";

	if (!list || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 127;
	*at++ = QEMU;
	*at++ = "-0";
	*at++ = argv[0];
	if (preload) {
		*at++ = "-E";
		*at++ = joined("LD_PRELOAD=", preload);
	}
	*at++ = joined(self, ".guest");
	memcpy(at, argv + 1, (size_t)(argc - 1) * sizeof(*at));
	unsetenv("LD_PRELOAD");
	execvp(QEMU, list);
	perror(QEMU);
	return 127;
}
