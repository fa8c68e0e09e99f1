/* kernel_copy.c - sendfile, splice and copy_file_range copy right, and drop both files. */
#include "prog.h"

#include <sys/sendfile.h>

static void by_sendfile(int in, int out)
{
	ssize_t n;

	while ((n = sendfile(out, in, NULL, 1 << 20)) > 0)
		;
	must(n == 0, "sendfile");
}

static void by_splice(int in, int out)
{
	int pipe_fd[2];
	ssize_t n;

	must(pipe(pipe_fd) == 0, "pipe");
	while ((n = splice(in, NULL, pipe_fd[1], NULL, 1 << 16, 0)) > 0)
		while (n > 0) {
			ssize_t m = splice(pipe_fd[0], NULL, out, NULL, n, 0);

			must(m > 0, "splice to the file");
			n -= m;
		}
	must(n == 0, "splice from the file");
	must(close(pipe_fd[0]) == 0 && close(pipe_fd[1]) == 0, "close");
}

static void by_copy_file_range(int in, int out)
{
	ssize_t n;

	while ((n = copy_file_range(in, NULL, out, NULL, 3 << 20, 0)) > 0)
		;
	must(n == 0, "copy_file_range");
}

static void copy(const char *name, void (*by)(int in, int out))
{
	int in = open_src(), out = create(name);

	by(in, out);
	must(lseek(in, 0, SEEK_CUR) == SIZE && lseek(out, 0, SEEK_CUR) == SIZE, "offset");
	must_close(in);
	must_close(out);
	must_hold(name, SIZE);
}

int main(void)
{
	copy("dst.sendfile", by_sendfile);
	copy("dst.splice", by_splice);
	copy("dst.copy_file_range", by_copy_file_range);
	return 0;
}
