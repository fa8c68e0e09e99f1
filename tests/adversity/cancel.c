/* cancel.c - threads that stream are cancelled, when they allow it or at any moment: descriptors
 * and memory come back, what was written up to the offset is there, and nobody waits for the dead.
 */
#include "adversity.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>

enum { LEN = 3 * MIB, CALL = 64 * 1024, TINY = 104, TINIES = 50 };

static unsigned char bytes[LEN + 8];
static size_t least, most; /* bytes of a call in the rounds, in turn */
static int fd, type;

static void *read_round(void *unused)
{
	static unsigned char buffer[LEN];

	pthread_setcanceltype(type, NULL);
	for (size_t n = least;; n = n == most ? least : most)
		if (read(fd, buffer, n) <= 0)
			lseek(fd, 0, SEEK_SET);
	return unused;
}

/* Every byte of a period of 8 is the same in any place. */
static void *write_round(void *unused)
{
	pthread_setcanceltype(type, NULL);
	for (size_t n = least;; n = n == most ? least : most)
		if (lseek(fd, 0, SEEK_CUR) > SIZE)
			lseek(fd, 0, SEEK_SET);
		else
			write(fd, bytes, n);
	return unused;
}

/* What a thread does that is cancelled before the last of its calls. */
struct deed {
	bool writes;
	size_t n;
	int calls;
};

/* A pending cancellation acts at the next call, however that is carried out: pthreads(7). */
static void *cancel_itself(void *of)
{
	static unsigned char buffer[LEN];
	const struct deed *deed = of;

	for (int i = 1; i <= deed->calls; i++) {
		if (i == deed->calls)
			pthread_cancel(pthread_self());
		if (deed->writes)
			write(fd, bytes, deed->n);
		else
			read(fd, buffer, deed->n);
	}
	must(0, "no cancellation point");
	return NULL;
}

static void must_be_cancelled(struct deed deed)
{
	pthread_t thread;
	void *status;

	fd = deed.writes ? create("written") : open_src();
	must(pthread_create(&thread, NULL, cancel_itself, &deed) == 0, "pthread_create");
	must(pthread_join(thread, &status) == 0 && status == PTHREAD_CANCELED, "not cancelled");
	must(lseek(fd, 0, SEEK_CUR) == (off_t)deed.n * (deed.calls - 1),
	     "bytes were moved after all");
	must_close(fd);
}

static void cancel(void *(*run)(void *), int us)
{
	pthread_t thread;
	void *status;

	must(pthread_create(&thread, NULL, run, NULL) == 0, "pthread_create");
	usleep(us);
	must(pthread_cancel(thread) == 0, "pthread_cancel");
	must(pthread_join(thread, &status) == 0 && status == PTHREAD_CANCELED, "not cancelled");
}

/* How often the process has waited: a reader that waits for the dead does so all the time. */
static long waits(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static void must_go_on(void)
{
	long before = waits();

	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_all(fd);
	must(waits() - before < 3000, "reading waits");
}

static void read_cancelled(int us)
{
	fd = open_src();
	cancel(read_round, us);
	must_go_on();
	cancel(read_round, us);
	must_close(fd);
}

static void must_be_full(off_t end)
{
	static unsigned char seen[MIB];
	ssize_t n;

	for (off_t at = 0; at < end; at += n) {
		n = pread(fd, seen, end - at < MIB ? end - at : MIB, at);
		must(n > 0 && n % 8 == 0 && memcmp(seen, bytes, n) == 0, "a hole was left");
	}
}

static void write_cancelled(int us)
{
	fd = create("written");
	cancel(write_round, us);
	must_be_full(lseek(fd, 0, SEEK_CUR));
	must(lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0, "from the start");
	write_some(fd, 0, SIZE);
	must_go_on();
	must_close(fd);
}

/* Calls of `a` and `b` bytes, cancelled after `longest` us at most. */
static void rounds(size_t a, size_t b, int longest)
{
	int64_t start = now_us();
	int us = 20;

	least = a;
	most = b;
	do {
		read_cancelled(us);
		write_cancelled(us);
		us = us * 7 % longest + 20;
	} while (goes_on(start));
}

int main(int argc, char **argv)
{
	int fds = descriptors();
	long pages;

	type = argc > 1 && !strcmp(argv[1], "any") ? PTHREAD_CANCEL_ASYNCHRONOUS
						   : PTHREAD_CANCEL_DEFERRED;
	memset(bytes, 'w', sizeof bytes);
	must_be_cancelled((struct deed){false, LEN, 2});
	must_be_cancelled((struct deed){true, LEN, 2});
	must_be_cancelled((struct deed){false, TINY, TINIES});
	must_be_cancelled((struct deed){true, TINY, TINIES});
	rounds(TINY, TINY, 300);
	rounds(CALL, LEN, 5000);
	pages = pages_mapped();
	rounds(TINY, TINY, 300);
	rounds(CALL, LEN, 5000);
	must_be_back(fds, pages);
	return 0;
}
