/* threads.c - threads share one descriptor with reads of many lengths: each byte comes once. */
#include "../progs/prog.h"

#include <pthread.h>

enum { UNIT = 4096, THREADS = 6, LONGEST = 1 << 20, PASSES = 8 };

static const uint64_t inverse = UINT64_C(0xF1DE83E19937733D); /* of the pattern's factor */
static unsigned char seen[SIZE / UNIT];
static int fd;

static void mark(const unsigned char *p, ssize_t n)
{
	uint64_t word, at;

	memcpy(&word, p, 8);
	at = (word * inverse - 1) * 8;
	must(n % UNIT == 0 && at % UNIT == 0 && at + n <= SIZE, "not a piece of the file");
	must_match(p, n, at);
	for (ssize_t i = 0; i < n / UNIT; i++)
		must(__atomic_exchange_n(&seen[at / UNIT + i], 1, __ATOMIC_RELAXED) == 0,
		     "read twice");
}

static void *reader(void *which)
{
	size_t len = (size_t)UNIT << ((intptr_t)which * 2 % 9);
	unsigned char *p = malloc(LONGEST);
	ssize_t n;

	while ((n = read(fd, p, len)) > 0)
		mark(p, n);
	must(n == 0, "read");
	free(p);
	return NULL;
}

static void pass(void)
{
	pthread_t thread[THREADS];

	memset(seen, 0, sizeof seen);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	for (intptr_t i = 0; i < THREADS; i++)
		must(pthread_create(&thread[i], NULL, reader, (void *)i) == 0, "pthread_create");
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(thread[i], NULL) == 0, "pthread_join");
	must(!memchr(seen, 0, sizeof seen), "a piece was missed");
}

int main(void)
{
	fd = open_src();
	for (int i = 0; i < PASSES; i++)
		pass();
	must_close(fd);
	return 0;
}
