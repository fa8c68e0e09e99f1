/* adversity.h - what the programs of this directory share, beside prog.h.
 *
 * Each is run in a directory that holds `src`, cold; its status, what it prints and its files dst*
 * must be the same without the library and under every policy. ADVERSITY_MS is how long the
 * hammers last. */
#ifndef ADVERSITY_H
#define ADVERSITY_H

#define SIZE_OF_SRC (8 << 20)
#include "../progs/prog.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

enum { MIB = 1 << 20 };

static inline int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* True until the time of a hammer that began at `start` is over. */
static inline int goes_on(int64_t start)
{
	const char *ms = getenv("ADVERSITY_MS");

	return now_us() - start < (ms ? atoi(ms) : 100) * INT64_C(1000);
}

/* How many descriptors the process has, hidden ones included. */
static inline int descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = -3; /* two directories and the one that is being read */

	must(dir != NULL, "opendir");
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* Address space of the process, in pages. */
static inline long pages_mapped(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	long pages;

	must(statm && fscanf(statm, "%ld", &pages) == 1, "statm");
	fclose(statm);
	return pages;
}

/* After `before` everything has been given back, but for a little that is kept for the next time.
 */
static inline void must_be_back(int fds_before, long pages_before)
{
	must(descriptors() == fds_before, "descriptors are left");
	must(pages_mapped() - pages_before < 256, "memory is left");
}

static inline void every(int microseconds, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, microseconds}, {0, microseconds}};

	must(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
	must(setitimer(ITIMER_REAL, &timer, NULL) == 0, "setitimer");
}

static inline void no_more(void)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	must(setitimer(ITIMER_REAL, &never, NULL) == 0, "setitimer");
}

/* Moves the whole of src to a file of this name, and looks at it. */
static inline void move_all(const char *name)
{
	int in = open_src(), out = create(name);

	read_all(in);
	write_some(out, 0, SIZE);
	must_close(in);
	must_close(out);
	must_hold(name, SIZE);
}

#endif
