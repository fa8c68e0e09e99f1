/* stdio.c - a FILE read at random by every size, in any buffer, by threads and cancelled ones: the
 * bytes, positions and the end are those of the file, and the FILE is never left locked. */
#include "../progs/prog.h"

#include <pthread.h>

enum { STEPS = 500, PIECE = 4096, ODD_BUFFER = 3000, MOST = 1 << 20, THREADS = 3, CANCELS = 40 };

static unsigned char buffer[MOST];
static uint64_t seed = 88172645463325252ULL;

static uint64_t below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static int64_t clamp(int64_t at)
{
	return at < 0 ? 0 : at > SIZE ? SIZE : at;
}

/* Whole items only are told; of a part of one the bytes are read all the same. */
static int64_t take(FILE *f, int64_t at)
{
	static const size_t sizes[] = {1, 100, 4095, 4096, 4097, 8192, 32768, 100000, MOST};
	size_t n = sizes[below(9)], item = below(3) ? 1 : 1 + below(n), want = n / item;
	int64_t left = SIZE - at, bytes = (int64_t)(want * item);
	size_t got = fread(buffer, item, want, f);

	must(got == (bytes <= left ? want : (size_t)left / item), "fread");
	must(!feof(f) == (bytes <= left), "feof");
	must_match(buffer, got * item, at);
	return at + (bytes <= left ? bytes : left);
}

static int64_t seek(FILE *f, int64_t at)
{
	int64_t to = below(4) ? clamp(at - 5000 + (int64_t)below(6000)) : (int64_t)below(SIZE);
	int whence = below(2) ? SEEK_SET : SEEK_CUR;

	must(fseek(f, whence == SEEK_SET ? to : to - at, whence) == 0, "fseek");
	return to;
}

static int64_t put_back(FILE *f, int64_t at)
{
	int c = getc(f);

	must(c == (at < SIZE ? pattern_byte(at) : EOF), "getc");
	if (c != EOF && below(2))
		must(ungetc(c, f) == c, "ungetc");
	else
		at += c != EOF;
	return at;
}

static void walk(char *room, int mode, size_t size)
{
	FILE *f = fopen("src", "r");
	int64_t at = 0;

	must(f && (mode < 0 || setvbuf(f, room, mode, size) == 0), "fopen");
	for (int i = 0; i < STEPS; i++) {
		at = below(4) ? take(f, at) : below(3) ? seek(f, at) : put_back(f, at);
		must(ftell(f) == at, "ftell");
		if (at == SIZE)
			at = seek(f, at);
	}
	must(fclose(f) == 0, "fclose");
}

/* What a buffer held that was used up must not be found in it after large reads. */
static void go_back(void)
{
	FILE *f = fopen("src", "r");

	for (int64_t at = 0; at + 3 * MOST < SIZE; at += MOST) {
		must(f && fseek(f, at, SEEK_SET) == 0 && getc(f) == pattern_byte(at), "getc");
		must(fread(buffer, 1, PIECE - 1, f) == PIECE - 1, "the rest of a buffer");
		must(fread(buffer, 1, MOST, f) == MOST, "fread");
		must_match(buffer, MOST, at + PIECE);
		must(fseek(f, -PIECE / 2, SEEK_CUR) == 0, "fseek");
		must(fread(buffer, 1, PIECE, f) == PIECE, "fread");
		must_match(buffer, PIECE, at + MOST + PIECE / 2);
	}
	fclose(f);
}

/* glibc maps a file that is opened so, and leaves the descriptor where it was. */
static void map(void)
{
	static unsigned char whole[SIZE + PIECE];
	FILE *f = fopen("src", "rm");

	must(f && fread(whole, 1, SIZE, f) == SIZE, "fread");
	must_match(whole, SIZE, 0);
	must(fread(whole, 1, sizeof(whole), f) == 0 && feof(f), "the end of a mapping");
	fclose(f);
}

static FILE *shared;
static _Atomic int64_t moved;

/* Where the piece belongs, by its first word (pattern.h): times the inverse of the constant. */
static uint64_t place(const unsigned char *piece)
{
	uint64_t word;

	memcpy(&word, piece, sizeof(word));
	return (word * UINT64_C(0xF1DE83E19937733D) - 1) * 8;
}

static void *take_pieces(void *unused)
{
	unsigned char piece[PIECE];
	uint64_t first;

	(void)unused;
	while (fread(piece, PIECE, 1, shared) == 1) {
		first = place(piece);
		must(first % PIECE == 0, "a piece is whole");
		must_match(piece, PIECE, first);
		moved += PIECE;
	}
	return NULL;
}

static void share(void)
{
	pthread_t threads[THREADS];
	char room[ODD_BUFFER];

	must((shared = fopen("src", "r")) != NULL, "fopen");
	must(setvbuf(shared, room, _IOFBF, sizeof(room)) == 0, "setvbuf");
	for (int i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, take_pieces, NULL) == 0, "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	must(moved == SIZE, "every byte once");
	fclose(shared);
}

static void *take_for_ever(void *unused)
{
	(void)unused;
	for (;;) {
		if (fread(buffer, 1, 10 * PIECE + 100, shared) == 0)
			rewind(shared);
	}
	return NULL;
}

static void cancel(void)
{
	pthread_t thread;

	must((shared = fopen("src", "r")) != NULL, "fopen");
	for (int i = 0; i < CANCELS; i++) {
		must(pthread_create(&thread, NULL, take_for_ever, NULL) == 0, "pthread_create");
		usleep(200 + 50 * i);
		must(pthread_cancel(thread) == 0 && pthread_join(thread, NULL) == 0, "cancelled");
		must(ftrylockfile(shared) == 0, "left locked");
		funlockfile(shared);
	}
	fclose(shared);
}

int main(void)
{
	static char room[MOST];

	walk(NULL, -1, 0);
	walk(room, _IOFBF, 100);
	walk(room, _IOFBF, 64 * 1024);
	walk(room, _IOFBF, MOST);
	walk(NULL, _IONBF, 0);
	go_back();
	map();
	cancel();
	share();
	return 0;
}
