/* stdio_write.c - 9.6 MB by fwrite and fclose: the right size and bytes, nothing cached. */
#include "prog.h"

enum { RECORD = 160, RECORDS = 60001 };

int main(void)
{
	unsigned char record[RECORD];
	FILE *f = fopen("dst", "w");

	must(f != NULL, "fopen");
	for (uint64_t i = 0; i < RECORDS; i++) {
		pattern_fill(record, RECORD, i * RECORD);
		must(fwrite(record, RECORD, 1, f) == 1, "fwrite");
	}
	must(fclose(f) == 0, "fclose");
	must_hold("dst", RECORD * RECORDS);
	return 0;
}
