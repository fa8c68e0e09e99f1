/* popen.c - popen and system run commands on files that are right and not cached. */
#include "prog.h"

int main(void)
{
	static unsigned char buffer[SIZE + 1];
	FILE *f = popen("cat src", "r");

	must(f != NULL && fread(buffer, 1, sizeof buffer, f) == SIZE, "popen");
	must_match(buffer, SIZE, 0);
	must(pclose(f) == 0, "pclose");
	must(system("cat <src >dst") == 0, "system");
	must_hold("dst", SIZE);
	return 0;
}
