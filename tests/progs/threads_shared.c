/* threads_shared.c - eight threads share one descriptor: no byte is read twice or missed. */
#include "prog.h"

#include <pthread.h>

enum { PIECE = 4096 };

static unsigned char seen[SIZE / PIECE];
static int fd;

/* The first word of a piece tells which one it is: its inverse is found by trying. */
static void *reader(void *unused)
{
	unsigned char piece[PIECE];
	ssize_t n;

	while ((n = read(fd, piece, PIECE)) > 0) {
		uint64_t word, at;

		must(n == PIECE, "short read");
		memcpy(&word, piece, 8);
		for (at = 0; (at / 8 + 1) * UINT64_C(0x9E3779B97F4A7C15) != word; at += PIECE)
			must(at < SIZE, "unknown piece");
		must_match(piece, PIECE, at);
		must(__atomic_exchange_n(&seen[at / PIECE], 1, __ATOMIC_RELAXED) == 0,
		     "read twice");
	}
	must(n == 0, "read");
	return unused;
}

int main(void)
{
	pthread_t thread[8];

	fd = open_src();
	for (int i = 0; i < 8; i++)
		must(pthread_create(&thread[i], NULL, reader, NULL) == 0, "pthread_create");
	for (int i = 0; i < 8; i++)
		must(pthread_join(thread[i], NULL) == 0, "pthread_join");
	must(!memchr(seen, 0, sizeof seen), "a piece was missed");
	must_close(fd);
	return 0;
}
