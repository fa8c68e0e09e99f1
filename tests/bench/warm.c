/* warm.c - a command whose page cache grows into memory that was in use just before.
 *   warm BYTES COMMAND...
 * A virtual machine's memory that was never used, or that was free for some seconds and went back
 * to the host (free page reporting), is many times slower at its first touch; a command that fills
 * the page cache would be charged for that. So BYTES are touched first, and released while the
 * command runs: a step ahead of the page cache's growth, too late to be handed back. Its status is
 * the command's. */
#include "bench.h"

#include <sys/wait.h>
#include <unistd.h>

enum { AHEAD = 512 << 20, GIVE = 32 << 20, EVERY_US = 5000 };

/* Bytes of the machine's page cache. */
static int64_t cached(void)
{
	char line[128];
	int64_t kib = 0;
	FILE *f = fopen("/proc/meminfo", "re");

	if (!f)
		die("meminfo");
	while (fgets(line, sizeof line, f) && sscanf(line, "Cached: %" SCNd64, &kib) != 1)
		;
	fclose(f);
	return kib * 1024;
}

/* Gives from the ballast until the page cache has grown by what was given, less a step. */
static void feed(unsigned char *ballast, int64_t size, int64_t *given, int64_t before)
{
	while (*given < size && *given < cached() - before + AHEAD) {
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
	int64_t before = cached();

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
