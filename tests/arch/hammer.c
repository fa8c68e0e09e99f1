/*
 * hammer.c - threads that open, read, write, duplicate and close the same few descriptors, past the
 * engine as the wrappers do; built with ThreadSanitizer, which tells of memory that two of them use
 * without order. No one closes what another is just using: that is the program's fault, and costs
 * it a figure in a record, which is used anew. Runs in a directory of its own.
 */
#include "engine.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 3000, NUMBERS = 8, FILES = 3, BLOCK = 4096, BIG = 1 << 20 };

static _Atomic int numbers[NUMBERS];
static pthread_rwlock_t use = PTHREAD_RWLOCK_INITIALIZER;

static int random_below(unsigned *seed, int n)
{
	return rand_r(seed) % n;
}

static int opens(unsigned *seed)
{
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "file%d", random_below(seed, FILES));
	fd = (int)sys_openat(AT_FDCWD, name, O_RDWR | O_CREAT, 0600);
	engine_opened(fd);
	return fd;
}

/* Closes a number that is in no place any more. */
static void ends(int fd)
{
	if (fd < 0)
		return;
	pthread_rwlock_wrlock(&use);
	engine_closing(fd, false);
	sys_close(fd);
	engine_closed();
	pthread_rwlock_unlock(&use);
}

static void closes(int place)
{
	ends(atomic_exchange(&numbers[place], -1));
}

static int duplicates(int from)
{
	int fd = atomic_load(&numbers[from]), copy = fd < 0 ? -1 : (int)sys_duplicate(fd, 0);

	if (copy >= 0)
		engine_duplicated(fd, copy);
	return copy;
}

static void moves(unsigned *seed, int place)
{
	static __thread char buffer[BLOCK];
	int fd = atomic_load(&numbers[place]);
	struct file *file = fd < 0 ? NULL : engine_file(fd);
	int64_t at = random_below(seed, BIG);

	if (!file)
		return;
	if (random_below(seed, 2)) {
		engine_reads(file, fd, at, BLOCK);
		engine_did_read(file, fd, sys_pread(fd, buffer, BLOCK, at));
	} else {
		engine_did_write(file, fd, at + BLOCK, sys_pwrite(fd, buffer, BLOCK, at));
	}
}

static void others(int place)
{
	int fd = atomic_load(&numbers[place]);
	enum policy policy;
	enum reason reason;

	if (fd < 0)
		return;
	engine_resized(fd);
	engine_status(fd, &policy, &reason);
	engine_settle(fd);
}

static void *hammer(void *argument)
{
	unsigned seed = (unsigned)(size_t)argument;

	for (int i = 0; i < ROUNDS; i++) {
		int place = random_below(&seed, NUMBERS);

		int old = -1;

		pthread_rwlock_rdlock(&use);
		switch (random_below(&seed, 8)) {
		case 0:
			old = atomic_exchange(&numbers[place], opens(&seed));
			break;
		case 1:
			old = atomic_exchange(&numbers[place],
					      duplicates(random_below(&seed, NUMBERS)));
			break;
		case 2:
			others(place);
			break;
		default:
			moves(&seed, place);
		}
		pthread_rwlock_unlock(&use);
		ends(old);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct environment environment = {
		.rules.value = argc > 1 ? argv[1] : NULL,
		.log.value = "log",
		.prog = "hammer",
	};
	pthread_t threads[THREADS];

	for (int i = 0; i < NUMBERS; i++)
		atomic_init(&numbers[i], -1);
	engine_begin(&environment);
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, hammer, (void *)(i + 1)))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NUMBERS; i++)
		closes(i);
	engine_exit();
	return 0;
}
