/* umounts.c - a file system can be unmounted as soon as its files are closed: umounts DIRECTORY. */
#include "../progs/prog.h"

#include <sys/mount.h>

int main(int argc, char **argv)
{
	char name[4096];
	int in, out;

	must(argc > 1, "usage");
	snprintf(name, sizeof name, "%s/src", argv[1]);
	in = open(name, O_RDONLY);
	snprintf(name, sizeof name, "%s/dst", argv[1]);
	out = create(name);
	read_all(in);
	write_some(out, 0, SIZE);
	must_close(in);
	must_close(out);
	must(umount2(argv[1], 0) == 0, "umount");
	return 0;
}
