/* close_all.c - a program that closes every number, in a loop or at once, goes on with a new file.
 */
#include "../progs/prog.h"

#include <sys/resource.h>

static void by_loop(void)
{
	struct rlimit limit;
	int most =
		getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > 65536 ? 65536 : limit.rlim_cur;

	for (int fd = 3; fd < most; fd++)
		close(fd);
}

static void by_range(void)
{
	must(close_range(3, ~0U, 0) == 0, "close_range");
}

static void go_on(void (*close_all)(void), const char *name)
{
	int in = open_src(), out = create(name);

	read_some(in, 0, SIZE / 2);
	write_some(out, 0, SIZE / 2);
	close_all();
	must_fail(fcntl(in, F_GETFD), EBADF, "still open");
	must(open_src() == in && open(name, O_WRONLY) == out, "not the same numbers");
	read_some(in, 0, SIZE);
	must(lseek(out, SIZE / 2, SEEK_SET) == SIZE / 2, "lseek");
	write_some(out, SIZE / 2, SIZE / 2);
	must_close(in);
	must_close(out);
	must_hold(name, SIZE);
}

int main(void)
{
	go_on(by_loop, "dst.loop");
	go_on(by_range, "dst.range");
	return 0;
}
