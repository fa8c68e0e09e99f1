/* exec_list.c - the forms of exec that take a list hand on each argument, and execle the
 * environment behind it. */
#include "prog.h"

extern char **environ;

enum { FORMS = 3, ENVIRONMENT = 500 };

#define LIST "a", "b", "c", "d", "e", "f", "g", "h"

static const char *const list[] = {LIST};

static int child(int argc, char **argv)
{
	must(argc == 2 + sizeof list / sizeof *list, "arguments");
	for (int i = 0; i < argc - 2; i++)
		must(strcmp(argv[i + 1], list[i]) == 0, "argument");
	must(getenv("MARK") && strcmp(getenv("MARK"), argv[argc - 1]) == 0, "environment");
	return 0;
}

/* What the program has, and a word before it. */
static char **marked(char *word)
{
	static char *all[ENVIRONMENT];
	int n = 0;

	all[n++] = word;
	for (char **each = environ; *each && n < ENVIRONMENT - 1; each++)
		all[n++] = *each;
	return all;
}

static void become(int form, const char *path)
{
	if (form == 0)
		execle(path, path, LIST, "given", (char *)NULL, marked("MARK=given"));
	must(setenv("MARK", "own", 1) == 0, "setenv");
	if (form == 1)
		execl(path, path, LIST, "own", (char *)NULL);
	else if (form == 2)
		execlp(path, path, LIST, "own", (char *)NULL);
	must(0, "exec");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return child(argc, argv);
	for (int form = 0; form < FORMS; form++) {
		pid_t pid = fork();

		if (pid == 0)
			become(form, argv[0]);
		must_reap(pid);
	}
	return 0;
}
