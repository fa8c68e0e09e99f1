/* threads_own.c - eight threads, each with its own descriptor of one file, read it right. */
#include "prog.h"

#include <pthread.h>

static void *reader(void *unused)
{
	int fd = open_src();

	read_all(fd);
	must(close(fd) == 0, "close");
	return unused;
}

int main(void)
{
	pthread_t thread[8];

	for (int i = 0; i < 8; i++)
		must(pthread_create(&thread[i], NULL, reader, NULL) == 0, "pthread_create");
	for (int i = 0; i < 8; i++)
		must(pthread_join(thread[i], NULL) == 0, "pthread_join");
	return 0;
}
