/* stdio_fdopen.c - a descriptor read in part and then handed to fdopen goes on where it was. */
#include "prog.h"

int main(void)
{
	static unsigned char buffer[SIZE];
	int fd = open_src();

	read_some(fd, 0, 54321);
	FILE *f = fdopen(fd, "r");

	must(f != NULL && fread(buffer, 1, SIZE, f) == SIZE - 54321, "fread");
	must_match(buffer, SIZE - 54321, 54321);
	must(fclose(f) == 0, "fclose");
	must_fail(fcntl(fd, F_GETFD), EBADF, "still open");
	return 0;
}
