/* ended.c - a signal without a handler ends a program in the middle of one large write(2), as soon
 * as the kernel would: not all is there, and what is there is the start of it. */
#include "adversity.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { LEN = 64 * MIB, BEGUN = 4 * MIB, ROUNDS = 40 };

static unsigned char *memory;

static off_t size_of_dst(void)
{
	struct stat st;

	return stat("dst", &st) == 0 ? st.st_size : 0;
}

/* A shell may have this program ignore signals. The writer yields to who will end it. */
static pid_t writer(int deadly)
{
	pid_t pid = fork();

	if (pid == 0) {
		signal(deadly, SIG_DFL);
		nice(19);
		must(write(create("dst"), memory, LEN) == LEN, "write");
		pause();
	}
	must(pid > 0, "fork");
	return pid;
}

/* Ends it once it has begun; returns how far it came. */
static off_t ended_at(int deadly)
{
	pid_t pid;
	int status;

	unlink("dst");
	pid = writer(deadly);
	while (size_of_dst() < BEGUN)
		usleep(100);
	must(kill(pid, deadly) == 0, "kill");
	must(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status), "it was not ended");
	must(WTERMSIG(status) == deadly, "another signal ended it");
	must_hold("dst", size_of_dst());
	return size_of_dst();
}

/* Now and then it may be done before the signal comes. */
static void must_end_early(int deadly)
{
	int rounds = 0;

	while (ended_at(deadly) == LEN)
		must(++rounds < ROUNDS, "it wrote all before it ended");
}

/* Where others keep the machine busy, the writer is not to run on while we wait to be woken. */
static void share_a_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	must(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
}

int main(void)
{
	share_a_processor();
	memory = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(memory != MAP_FAILED, "mmap");
	pattern_fill(memory, LEN, 0);
	must_end_early(SIGINT);
	must_end_early(SIGTERM);
	unlink("dst");
	return 0;
}
