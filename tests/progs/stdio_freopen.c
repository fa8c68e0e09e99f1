/* stdio_freopen.c - freopen(stdin) reads the new file from its start, and it is dropped. */
#include "prog.h"

int main(void)
{
	static unsigned char buffer[SIZE];

	must(freopen("src", "r", stdin) == stdin && fileno(stdin) == 0, "freopen");
	must(fread(buffer, 1, SIZE, stdin) == SIZE && getchar() == EOF, "fread");
	must_match(buffer, SIZE, 0);
	return 0;
}
