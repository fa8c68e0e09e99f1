/* stdio_write_noclose.c - what exit flushes after our destructor is in the file, and dropped. */
#include "prog.h"

int main(void)
{
	static unsigned char buffer[SIZE];
	FILE *f = fopen("dst", "w");

	pattern_fill(buffer, SIZE, 0);
	must(f != NULL && fwrite(buffer, 1, SIZE - 100, f) == SIZE - 100, "fwrite");
	return 0;
}
