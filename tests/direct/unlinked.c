/* unlinked.c - nothing holds a file that is deleted and closed: no descriptor, no mapping. */
#include "../progs/prog.h"

#include <dirent.h>

static void must_not_name(const char *text)
{
	must(!strstr(text, "dst.gone"), "the file is still held");
}

static void look_at_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	char path[300], target[4096];
	struct dirent *entry;

	must(dir != NULL, "opendir");
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
		ssize_t n = readlink(path, target, sizeof target - 1);

		target[n > 0 ? n : 0] = 0;
		must_not_name(target);
	}
	closedir(dir);
}

static void look_at_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[5000];

	must(maps != NULL, "/proc/self/maps");
	while (fgets(line, sizeof line, maps))
		must_not_name(line);
	fclose(maps);
}

int main(void)
{
	int fd = create("dst.gone");

	write_some(fd, 0, SIZE);
	must(fsync(fd) == 0 && lseek(fd, 0, SEEK_SET) == 0, "lseek");
	read_some(fd, 0, SIZE / 2);
	must(unlink("dst.gone") == 0, "unlink");
	read_some(fd, SIZE / 2, SIZE / 2);
	must_close(fd);
	look_at_descriptors();
	look_at_mappings();
	return 0;
}
