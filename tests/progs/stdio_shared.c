/* stdio_shared.c - threads that take and put single characters of the same FILEs lose none. */
#include "prog.h"

#include <pthread.h>

enum { THREADS = 3 };

static FILE *in, *out;
static long counts[256], expected[256];

static void *move(void *unused)
{
	long mine[256] = {0};
	int c;

	(void)unused;
	while ((c = getc(in)) != EOF) {
		mine[c]++;
		must(putc(c, out) == c, "putc");
	}
	for (c = 0; c < 256; c++)
		__atomic_fetch_add(&counts[c], mine[c], __ATOMIC_RELAXED);
	return NULL;
}

static void count_put(void)
{
	FILE *f = fopen("put", "r");
	long seen[256] = {0};
	int c;

	must(f != NULL, "put");
	while ((c = getc_unlocked(f)) != EOF)
		seen[c]++;
	must(!memcmp(seen, expected, sizeof(seen)), "every character is put once");
	fclose(f);
}

int main(void)
{
	pthread_t threads[THREADS];

	must((in = fopen("src", "r")) != NULL && (out = fopen("put", "w")) != NULL, "fopen");
	for (uint64_t at = 0; at < SIZE; at++)
		expected[pattern_byte(at)]++;
	for (int i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, move, NULL) == 0, "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	must(!memcmp(counts, expected, sizeof(counts)), "every character is taken once");
	must(fclose(in) == 0 && fclose(out) == 0, "fclose");
	count_put();
	return 0;
}
