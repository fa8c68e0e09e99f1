/* unlinked.c - a file that is unlinked while open, and tmpfile, hold their bytes. */
#include "prog.h"

int main(void)
{
	int fd = create("dst");
	FILE *f = tmpfile();

	must(unlink("dst") == 0, "unlink");
	write_some(fd, 0, SIZE / 2);
	must(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_some(fd, 0, SIZE / 2);
	must_close(fd);
	must(f != NULL && fputs("line\n", f) >= 0 && fseek(f, 0, SEEK_SET) == 0, "tmpfile");
	must(getc(f) == 'l' && fclose(f) == 0, "getc");
	return 0;
}
