/* stdio_read.c - fopen, fread, fclose: right bytes, positions and end, and nothing stays cached. */
#include "prog.h"

int main(void)
{
	static unsigned char buffer[77777];
	FILE *f = fopen("src", "r");
	uint64_t at = 0;
	size_t n;

	must(f != NULL, "fopen");
	while ((n = fread(buffer, 1, sizeof buffer, f)) > 0) {
		must_match(buffer, n, at);
		at += n;
		must(ftello(f) == (off_t)at, "position");
	}
	must(at == SIZE && feof(f) && !ferror(f), "end");
	must(fclose(f) == 0, "fclose");
	return 0;
}
