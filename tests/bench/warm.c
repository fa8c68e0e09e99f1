/* warm.c - a command whose page cache grows into memory that was in use just before.
 *   warm BYTES COMMAND...
 * A virtual machine's memory that was never used, or that was free for some seconds and went back
 * to the host (free page reporting), is many times slower at its first touch; a command that fills
 * the page cache would be charged for that. So BYTES are touched first, and released while the
 * command runs: a step ahead of what is taken, too late to be handed back. Its status is
 * the command's. */
#include "bench.h"

#include <sys/wait.h>
#include <unistd.h>

enum { AHEAD = 512 << 20, GIVE = 32 << 20, EVERY_US = 5000 };

/* Bytes of memory that the machine has handed out so far: it only grows, whoever else is at work.
 */
static int64_t handed_out(void)
{
	char line[128];
	int64_t pages, sum = 0;
	FILE *f = fopen("/proc/vmstat", "re");

	if (!f)
		die("vmstat");
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "pgalloc_%*s %" SCNd64, &pages) == 1)
			sum += pages;
	fclose(f);
	return sum * sysconf(_SC_PAGESIZE);
}

/* Gives from the ballast until a step more was given than handed out since. */
static void feed(unsigned char *ballast, int64_t size, int64_t *given, int64_t before)
{
	while (*given < size && *given < handed_out() - before + AHEAD) {
		int64_t n = size - *given < GIVE ? size - *given : GIVE;

		madvise(ballast + *given, n, MADV_DONTNEED);
		*given += n;
	}
}

int main(int argc, char **argv)
{
	int64_t size = argc > 2 ? atoll(argv[1]) / HUGE_PAGE * HUGE_PAGE : 0, given = 0;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: warm BYTES COMMAND...\n");
		return 2;
	}
	unsigned char *ballast = huge_buffer(size + HUGE_PAGE);
	int64_t before = handed_out();

	feed(ballast, size, &given, before);
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		feed(ballast, size, &given, before);
		usleep(EVERY_US);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
