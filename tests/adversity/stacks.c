/* stacks.c - I/O of every kind on stacks of 16 KiB: of a thread, and of a signal handler, with
 * nothing but a page that kills below them. */
#include "adversity.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>

enum { STACK = 16 * 1024, LEN = 4 * MIB, GUARD = 4096 };

static unsigned char buffer[LEN];

static char *new_stack(void)
{
	char *memory = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED && mprotect(memory, GUARD, PROT_NONE) == 0, "stack");
	return memory + GUARD;
}

static void write_all(const char *name, size_t n)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);
	struct iovec iov = {buffer, n};

	must(fd >= 0, "open");
	for (uint64_t at = 0; at < SIZE; at += n) {
		pattern_fill(buffer, n, at);
		must((at / n % 2 ? writev(fd, &iov, 1) : write(fd, buffer, n)) == (ssize_t)n,
		     "write");
	}
	must(fsync(fd) == 0 && ftruncate(fd, SIZE) == 0 && close(fd) == 0, "close");
}

static void read_file(const char *name, size_t n)
{
	int fd = open(name, O_RDONLY), copy;
	ssize_t got;

	must(fd >= 0 && (copy = dup(fd)) >= 0, "open");
	for (uint64_t at = 0; at < SIZE; at += got) {
		got = read(fd, buffer, n);
		must(got > 0 && pattern_check(buffer, got, at) == (size_t)got, "read");
		must(pread(copy, buffer, got, at) == got, "pread");
		must_match(buffer, got, at);
	}
	must(close(fd) == 0 && close(copy) == 0, "close");
}

static void copy_file(void)
{
	int in = open("src", O_RDONLY),
	    out = open("dst.copy", O_RDWR | O_CREAT | O_TRUNC, ANY_MODE);
	ssize_t n, all = 0;

	while ((n = copy_file_range(in, NULL, out, NULL, SIZE, 0)) > 0)
		all += n;
	must((n == 0 || errno == EXDEV) && (all == SIZE || all == 0), "copy_file_range");
	must(close(in) == 0 && close(out) == 0, "close");
}

static void *work(void *unused)
{
	write_all("dst", 128 * 1024);
	write_all("dst", LEN);
	read_file("dst", 4096);
	read_file("src", LEN);
	copy_file();
	must(rename("dst.copy", "dst.copied") == 0, "rename");
	return unused;
}

static void handler(int unused)
{
	(void)unused;
	work(NULL);
}

static void on_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, new_stack(), STACK) != 0)
		cannot("no thread can have so small a stack");
	must(pthread_create(&thread, &attributes, work, NULL) == 0, "pthread_create");
	must(pthread_join(thread, NULL) == 0, "pthread_join");
}

static void on_signal_stack(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	stack_t stack = {.ss_sp = new_stack(), .ss_size = STACK};

	must(sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0,
	     "sigaltstack");
	must(raise(SIGUSR1) == 0, "raise");
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		on_signal_stack();
	else
		on_thread();
	return 0;
}
