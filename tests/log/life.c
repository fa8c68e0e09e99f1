/*
 * life.c - how descriptions come and go: life WORD reads part of src in a way that must give the
 * records that the suite expects. Run as the tiny programs are (prog.h).
 */
#include "../progs/prog.h"

enum { SOME = 300000 };

static void by_dup(void)
{
	int fd = open_src(), copy = dup(fd);

	read_some(fd, 0, SOME);
	must_close(fd);
	read_some(copy, SOME, SOME);
	must_close(copy);
}

static void by_dup2(void)
{
	int fd = open_src(), other = open_src();

	read_some(other, 0, SOME);
	must(dup2(fd, other) == other, "dup2");
	read_some(other, 0, SOME);
	must_close(fd);
	must_close(other);
}

/* The child ends in a way of its own. */
static void by_fork(int reads)
{
	int fd = open_src();
	pid_t pid;

	read_some(fd, 0, SOME);
	pid = fork();
	if (pid == 0) {
		if (reads)
			read_some(fd, SOME, SOME);
		_exit(0);
	}
	must_reap(pid);
	must_close(fd);
}

static void by_exec(char **argv)
{
	int fd = open_src();

	read_some(fd, 0, SOME);
	must(dup2(fd, 0) == 0 && close(fd) == 0, "dup2");
	execl("/proc/self/exe", argv[0], "stdin", (char *)NULL);
	must(0, "execl");
}

/* Characters among lines and formats, with the buffering given; the suite knows the size. */
static void by_characters(int buffering)
{
	FILE *fp = fopen("dst", "w");

	must(fp != NULL && setvbuf(fp, NULL, buffering, 0) == 0, "fopen");
	for (int i = 0; i < 3000; i++) {
		must(putc(i % 26 + 'a', fp) != EOF, "putc");
		must(fputs("word", fp) >= 0, "fputs");
		must(putc_unlocked('\n', fp) != EOF, "putc_unlocked");
		must(fprintf(fp, "%05d ", i) == 6, "fprintf");
	}
	must(fclose(fp) == 0, "fclose");
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (strcmp(word, "dup") == 0)
		by_dup();
	if (strcmp(word, "dup2") == 0)
		by_dup2();
	if (strcmp(word, "fork") == 0 || strcmp(word, "forkreads") == 0)
		by_fork(strcmp(word, "forkreads") == 0);
	if (strcmp(word, "exec") == 0)
		by_exec(argv);
	if (strcmp(word, "stdin") == 0)
		read_some(0, SOME, SOME);
	if (strcmp(word, "open") == 0)
		read_some(open_src(), 0, SOME);
	if (strcmp(word, "full") == 0)
		by_characters(_IOFBF);
	if (strcmp(word, "line") == 0)
		by_characters(_IOLBF);
	if (strcmp(word, "none") == 0)
		by_characters(_IONBF);
	if (strcmp(word, "now") == 0) {
		read_some(open_src(), 0, SOME);
		_exit(0);
	}
	return 0;
}
