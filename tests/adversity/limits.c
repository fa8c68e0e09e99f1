/* limits.c - limits of descriptors, address space and file size: what can be had, and how it ends.
 */
#include "adversity.h"

#include <sys/mman.h>
#include <sys/resource.h>

enum { CROWD = 24, MOST_OPEN = 1000 };

static void set_limit(int which, rlim_t soft)
{
	struct rlimit limit;

	must(getrlimit(which, &limit) == 0, "getrlimit");
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	must(setrlimit(which, &limit) == 0, "setrlimit");
}

/* High numbers are files like any other. */
static void million(void)
{
	struct rlimit limit;
	int in = open_src(), out = create("dst"), high;

	set_limit(RLIMIT_NOFILE, 1 << 20);
	must(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
	high = (int)limit.rlim_cur - 1;
	must(dup2(in, high) == high && dup2(out, high / 2) == high / 2, "dup2");
	must_close(in);
	must_close(out);
	read_all(high);
	write_some(high / 2, 0, SIZE);
	must_close(high);
	must_close(high / 2);
	must_hold("dst", SIZE);
}

/* While files stream, the program can have as many numbers as ever. */
static void numbers(int most)
{
	int in[CROWD], opened = 0;
	char name[16];

	set_limit(RLIMIT_NOFILE, most);
	for (int i = 0; i < CROWD; i++) {
		snprintf(name, sizeof name, "part%d", i);
		in[i] = create(name);
		write_some(in[i], 0, 300000);
		must(lseek(in[i], 0, SEEK_SET) == 0, "lseek");
	}
	for (int i = 0; i < CROWD; i++)
		read_some(in[i], 0, 200000);
	while (dup(0) >= 0)
		opened++;
	must(errno == EMFILE, "EMFILE");
	printf("%d more\n", opened);
	for (int i = 0; i < CROWD; i++)
		read_some(in[i], 200000, 100000);
}

/* What is left of the address space is the program's. */
static void space(void)
{
	int in = open_src(), out = create("dst"), pieces = 0;

	set_limit(RLIMIT_AS, (rlim_t)pages_mapped() * 4096 + 40 * MIB);
	read_some(in, 0, SIZE / 2);
	write_some(out, 0, SIZE / 2);
	while (mmap(NULL, MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		pieces++;
	printf("%s\n", pieces >= 38 ? "enough" : "memory is missing");
	read_some(in, SIZE / 2, SIZE / 2);
	write_some(out, SIZE / 2, SIZE / 2);
	must_close(in);
	must_close(out);
}

/* A writer that meets the limit, and is killed by it. */
static void meet_size(size_t block)
{
	static unsigned char bytes[8 * MIB];
	int out = create("dst");
	uint64_t at = 0;

	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_FSIZE, 5 * MIB + 1234);
	for (;;) {
		pattern_fill(bytes, block, at);
		ssize_t n = write(out, bytes, block);

		must(n > 0, "write");
		at += n;
	}
}

static void size(void)
{
	static const size_t blocks[] = {1000, MIB, 8 * MIB, 300000};
	struct stat st;
	int status;

	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (pid == 0)
			meet_size(blocks[i]);
		must(waitpid(pid, &status, 0) == pid && stat("dst", &st) == 0, "the child");
		printf("%zu: status %#x, %ld bytes\n", blocks[i], status, (long)st.st_size);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	if (argc > 2)
		numbers(atoi(argv[2]));
	else if (!strcmp(argv[1], "million"))
		million();
	else if (!strcmp(argv[1], "space"))
		space();
	else
		size();
	return 0;
}
