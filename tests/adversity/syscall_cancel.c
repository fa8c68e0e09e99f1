/* syscall_cancel.c - syscall(2) is no cancellation point, read(2) is one: pthreads(7). */
#include "adversity.h"

#include <pthread.h>

static int fd, reached;

static void *run(void *unused)
{
	char buffer[4096];

	pthread_cancel(pthread_self());
	must(syscall(SYS_pread64, fd, buffer, sizeof buffer, 0L) == sizeof buffer, "pread64");
	must(syscall(SYS_read, fd, buffer, sizeof buffer) == sizeof buffer, "read");
	must_match(buffer, sizeof buffer, 0);
	reached = 1;
	must(read(fd, buffer, sizeof buffer) == -2, "read was no cancellation point");
	return unused;
}

int main(void)
{
	pthread_t thread;
	void *status;

	fd = open_src();
	must(pthread_create(&thread, NULL, run, NULL) == 0, "pthread_create");
	must(pthread_join(thread, &status) == 0, "pthread_join");
	must(status == PTHREAD_CANCELED && reached, "cancelled inside syscall(2)");
	must(lseek(fd, 0, SEEK_CUR) == 4096, "offset");
	must_close(fd);
	return 0;
}
