/* stdio_getc.c - a file read by getc_unlocked alone is right and leaves nothing cached. */
#include "prog.h"

int main(void)
{
	FILE *f = fopen("src", "r");
	uint64_t at = 0;
	int c;

	must(f != NULL, "fopen");
	while ((c = getc_unlocked(f)) != EOF)
		must(c == pattern_byte(at++), "wrong byte");
	must(at == SIZE, "length");
	must(fclose(f) == 0, "fclose");
	return 0;
}
