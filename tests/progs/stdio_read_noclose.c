/* stdio_read_noclose.c - fopen and fread without fclose: nothing stays cached. */
#include "prog.h"

int main(void)
{
	static unsigned char buffer[SIZE];
	FILE *f = fopen("src", "r");

	must(f != NULL && fread(buffer, 1, SIZE, f) == SIZE, "fread");
	must_match(buffer, SIZE, 0);
	return 0;
}
