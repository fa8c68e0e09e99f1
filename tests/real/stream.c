/* stream.c - copies a big file and leaves without closing it: stream return|_exit|kill SRC DST.
 * `kill` dies by SIGKILL when three quarters are copied. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char buffer[128 << 10];

int main(int argc, char **argv)
{
	const char *how = argc == 4 ? argv[1] : "";
	int in = open(argv[2], O_RDONLY), out = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	struct stat st;
	ssize_t n;

	if (!*how || in < 0 || out < 0 || fstat(in, &st))
		return 1;
	for (off_t done = 0; (n = read(in, buffer, sizeof buffer)) > 0; done += n) {
		if (write(out, buffer, n) != n)
			return 1;
		if (strcmp(how, "kill") == 0 && done > st.st_size / 4 * 3)
			raise(SIGKILL);
	}
	if (strcmp(how, "_exit") == 0)
		_exit(n != 0);
	return n != 0;
}
