/* stdio_fprintf.c - one line by fprintf and fclose is in the file. */
#include "prog.h"

int main(void)
{
	FILE *f = fopen("text", "w");
	char line[64] = "";

	must(f != NULL && fprintf(f, "%d bottles of %s\n", 99, "beer") == 19, "fprintf");
	must(fclose(f) == 0, "fclose");
	f = fopen("text", "r");
	must(f != NULL && fgets(line, sizeof line, f) && getc(f) == EOF, "fgets");
	must(strcmp(line, "99 bottles of beer\n") == 0, "wrong line");
	must(fclose(f) == 0, "fclose");
	return 0;
}
