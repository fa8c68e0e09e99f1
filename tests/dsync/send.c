/* send.c - writes dst by write(2), and by a FILE that is told to send its bytes: send. */
#include "../progs/prog.h"

int main(void)
{
	int fd = create("dst");
	FILE *fp;

	must(write(fd, "1", 1) == 1, "write");
	must_close(fd);
	fp = fopen("dst", "w");
	must(fp && fputc('2', fp) == '2' && fflush(fp) == 0, "fflush");
	must(fputc('3', fp) == '3' && fseek(fp, 0, SEEK_SET) == 0, "fseek");
	must(fwrite("4", 1, 1, fp) == 1 && fflush(fp) == 0, "fwrite");
	_exit(0);
}
