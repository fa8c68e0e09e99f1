/*
 * threads.c - two threads write tiny records by one description, after a while of one alone; then
 * both read. With an argument one of them forks, syncs, and writes by vectors meanwhile.
 */
#include "relaxed.h"

#include <pthread.h>
#include <sys/uio.h>

enum { RECORD = 16, RECORDS = 60000, ALONE = 5000 };

static int fd, busy;
static unsigned char seen[2][RECORDS];
static _Atomic unsigned got;

static void put(unsigned long who, unsigned long number)
{
	unsigned long r[2] = {who, number};
	struct iovec iov = {r, RECORD};

	if (busy && number % 7 == 3)
		must(writev(fd, &iov, 1) == RECORD, "writev");
	else
		must(write(fd, r, RECORD) == RECORD, "write");
	if (busy && who && number % 500 == 3)
		must(fsync(fd) == 0, "fsync");
	if (busy && who && number % 20000 == 4) {
		int pid = fork(), status;

		if (pid == 0)
			_exit(0);
		must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0, "fork");
	}
}

static void *writer(void *data)
{
	for (unsigned long i = data ? 0 : ALONE; i < RECORDS; i++)
		put(!!data, i);
	return NULL;
}

static void *reader(void *data)
{
	unsigned long r[2];

	while (read(fd, r, RECORD) == RECORD) {
		must(r[0] < 2 && r[1] < RECORDS && !seen[r[0]][r[1]]++,
		     "a record came twice or torn");
		got++;
	}
	return data;
}

static void both(void *(*run)(void *))
{
	pthread_t other;

	must(pthread_create(&other, NULL, run, &fd) == 0, "thread");
	run(NULL);
	pthread_join(other, NULL);
}

enum { ROUNDS = 400, SMALL = 4000 };

static void *write_alone(void *data)
{
	for (unsigned long i = 0; i < SMALL; i++)
		put(0, i);
	return data;
}

/* The second thread comes at any moment, once a file: what was gathered is its to settle. */
static void hand_over(unsigned round)
{
	unsigned long r[2], next = 0, other = 0;
	pthread_t alone;

	fd = open("dst", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);
	must(pthread_create(&alone, NULL, write_alone, &fd) == 0, "thread");
	usleep(round * 7 % 300);
	if (round % 3)
		put(1, 0);
	else
		must(lseek(fd, 0, SEEK_CUR) % RECORD == 0, "the offset is in a record");
	pthread_join(alone, NULL);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	while (read(fd, r, RECORD) == RECORD) {
		must(r[0] ? !other++ : r[1] == next++, "a record is lost or came twice");
		must(r[0] < 2, "no record");
	}
	must(next == SMALL && other == (round % 3 != 0), "records are lost");
	close(fd);
}

int main(int argc, char **argv)
{
	(void)argv;
	for (unsigned round = 0; round < ROUNDS && argc < 2; round++)
		hand_over(round);
	busy = argc > 1;
	fd = open("dst", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);
	must(fd >= 0, "open");
	for (int i = 0; i < ALONE; i++)
		put(0, i);
	both(writer);
	must(lseek(fd, 0, SEEK_END) == 2 * RECORDS * RECORD, "the size");
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	both(reader);
	must(got == 2 * RECORDS, "records are lost");
	return 0;
}
