/* ends.c - a file is written from .preinit_array on, through constructors, main and atexit(3), into
 * a library's last destructor; and in handlers of quick_exit(3), or up to _exit(2). */
#include "adversity.h"

void early_part(void);

static void before_all(void)
{
	early_part();
}

__attribute__((section(".preinit_array"), used)) static void (*preinit)(void) = before_all;

static void after_main(void)
{
	early_part();
}

int main(int argc, char **argv)
{
	early_part();
	atexit(after_main);
	at_quick_exit(after_main);
	if (argc > 1 && !strcmp(argv[1], "quick"))
		quick_exit(0);
	if (argc > 1 && !strcmp(argv[1], "now"))
		_exit(0);
	if (argc > 1 && !strcmp(argv[1], "Now"))
		_Exit(0);
	if (argc > 1 && !strcmp(argv[1], "raw"))
		syscall(SYS_exit_group, 0);
	return 0;
}
