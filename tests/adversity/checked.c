/* checked.c - for the sanitizers: threads that share a descriptor, handlers, children, allocation.
 */
#include "adversity.h"

#include <pthread.h>

enum { LEN = 300000 };

static int in, out;

static void *share(void *unused)
{
	unsigned char *bytes = malloc(LEN);

	for (off_t at = 0; at < SIZE; at += LEN) {
		ssize_t n = pread(in, bytes, LEN, at);

		must(n > 0, "pread");
		must_match(bytes, n, at);
		must(pwrite(out, bytes, n, at) == n, "pwrite");
	}
	free(bytes);
	return unused;
}

static void handler(int unused)
{
	int saved = errno, fd = open("src", O_RDONLY);
	char bytes[100];

	(void)unused;
	must(fd >= 0 && read(fd, bytes, 100) == 100 && close(fd) == 0, "handler");
	errno = saved;
}

static void in_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		read_all(in);
		_exit(0);
	}
	must_reap(pid);
}

int main(void)
{
	pthread_t thread[3];

	in = open_src();
	out = create("dst");
	every(2000, handler);
	for (int i = 0; i < 3; i++)
		must(pthread_create(&thread[i], NULL, share, NULL) == 0, "pthread_create");
	for (int i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL) == 0, "pthread_join");
	no_more();
	in_child();
	unsetenv("LD_PRELOAD"); /* the runtime is not for every program */
	must(system("cat src >dst.cat") == 0, "system");
	must_close(in);
	must_close(out);
	must_hold("dst", SIZE);
	return 0;
}
