/* numbers.c - while files stream, the numbers below 500 in /proc/self/fd are the program's own. */
#include "../progs/prog.h"

#include <dirent.h>

static void list(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	unsigned long seen[8] = {0};

	must(dir != NULL, "opendir");
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) < 500)
			seen[atoi(entry->d_name) / 64] |= 1UL << atoi(entry->d_name) % 64;
	closedir(dir);
	for (int i = 0; i < 500; i++)
		if (seen[i / 64] >> i % 64 & 1)
			printf("%d ", i);
	printf("\n");
}

int main(void)
{
	int in, out;

	list();
	in = open_src();
	list();
	read_some(in, 0, SIZE / 2);
	out = create("dst");
	write_some(out, 0, SIZE / 2);
	list();
	must(dup(in) >= 0, "dup");
	read_some(in, SIZE / 2, SIZE / 2);
	list();
	must_close(in);
	must_close(out);
	list();
	return 0;
}
