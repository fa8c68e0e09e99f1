/*
 * hammer.c - threads that open, read, write, duplicate and close the same few descriptors, past the
 * engine as the wrappers do; built with ThreadSanitizer, which tells of memory that two of them use
 * without order. No one closes what another is just using: that is the program's fault, and costs
 * it a figure in a record, which is used anew. Runs in a directory of its own.
 */
#include "dontcache.h"
#include "engine.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 3000, NUMBERS = 8, FILES = 3, BIG = 1 << 20 };
enum {
	TINY = 100,
	RUN = 12
}; /* requests that `relaxed` gathers, once some have come in sequence */

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

/* Reads and writes as wrap/transfer.c has them carried out; at the description's offset: -1. */
static void reads(struct file *file, int fd, void *buffer, size_t n, int64_t at)
{
	struct iovec iov = {buffer, n};
	ssize_t done = FORWARD;

	if (at < 0 && relaxed_concerns(file))
		done = relaxed_read(file, fd, buffer, n);
	if (done == FORWARD && direct_wants_read(file, n))
		done = direct_read(file, fd, &iov, 1, at);
	if (done == FORWARD && dontcache_wants_read(file, n))
		done = dontcache_read(file, fd, &iov, 1, at, 0);
	if (done != FORWARD)
		return;
	engine_reads(file, fd, at, n);
	engine_did_read(file, fd, sys_preadv2(fd, &iov, 1, at, 0));
}

static void writes(struct file *file, int fd, void *buffer, size_t n, int64_t at)
{
	struct iovec iov = {buffer, n};
	ssize_t done = FORWARD;

	if (at < 0 && relaxed_concerns(file))
		done = relaxed_write(file, fd, buffer, n);
	if (done == FORWARD && direct_wants_writes(file))
		done = direct_write(file, fd, buffer, n, at);
	if (done == FORWARD && dontcache_wants_write(file, n))
		done = dontcache_write(file, fd, &iov, 1, at, 0);
	if (done == FORWARD)
		engine_did_write(file, fd, at < 0 ? at : at + (int64_t)n,
				 sys_pwritev2(fd, &iov, 1, at, 0));
}

/* One request somewhere: of a page, or large enough to be direct by itself. */
static void moves(unsigned *seed, struct file *file, int fd)
{
	static __thread char buffer[BIG];
	size_t n = random_below(seed, 8) ? 4096 : BIG;
	int64_t at = random_below(seed, 2) ? random_below(seed, BIG) : 0;

	if (random_below(seed, 2))
		reads(file, fd, buffer, n, at);
	else
		writes(file, fd, buffer, n, at);
}

/* Tiny ones, one behind the other. */
static void runs(unsigned *seed, struct file *file, int fd)
{
	static __thread char buffer[TINY];
	void (*transfer)(struct file *, int, void *, size_t, int64_t) =
		random_below(seed, 2) ? reads : writes;

	if (random_below(seed, 2)) {
		relaxed_settle(file, fd);
		engine_seeks(file);
		sys_seek(fd, random_below(seed, BIG));
	}
	for (int i = 0; i < RUN; i++)
		transfer(file, fd, buffer, TINY, -1);
}

static void transfers(unsigned *seed, int place)
{
	int fd = atomic_load(&numbers[place]);
	struct file *file = fd < 0 ? NULL : engine_file(fd);

	if (!file)
		return;
	if (random_below(seed, 2))
		moves(seed, file, fd);
	else
		runs(seed, file, fd);
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
		int place = random_below(&seed, NUMBERS), old = -1;

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
			transfers(&seed, place);
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
