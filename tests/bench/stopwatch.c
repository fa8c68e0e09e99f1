/* stopwatch.c - what a command took: to return, and until what it wrote was on disk.
 *   stopwatch REPORT PATH COMMAND...
 * Then PATH is made durable: a file by fsync, a directory's whole file system by syncfs. Writes
 * `ns=N durable=N cpu=N` (cpu: of the command and all its children) to REPORT and ends with the
 * command's status. What was dirty before is written out before the clock starts. */
#include "bench.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A file that the command did not make needs no settling: its status tells. */
static void settle(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		return;
	if (fstat(fd, &st) || (S_ISDIR(st.st_mode) ? syncfs(fd) : fsync(fd)))
		die("sync");
	close(fd);
}

static int run(char **command)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) < 0)
		die("wait");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int64_t children_cpu(void)
{
	struct rusage r;

	getrusage(RUSAGE_CHILDREN, &r);
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * INT64_C(1000000000) +
	       (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * INT64_C(1000);
}

int main(int argc, char **argv)
{
	struct work w;

	if (argc < 4) {
		fprintf(stderr, "usage: stopwatch REPORT PATH COMMAND...\n");
		return 2;
	}
	settle(argv[2]);
	work_start(&w);
	int status = run(argv + 3);

	work_done(&w);
	settle(argv[2]);
	w.durable = clock_ns(CLOCK_MONOTONIC) - w.start;
	FILE *report = fopen(argv[1], "we");

	if (!report)
		die("report");
	fprintf(report, "ns=%" PRId64 " durable=%" PRId64 " cpu=%" PRId64 "\n", w.ns, w.durable,
		children_cpu());
	return fclose(report) ? 125 : status;
}
