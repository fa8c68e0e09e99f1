/* host.c - the program, a library bound before anything preloaded and raw system calls take turns
 * at one description: each byte comes once and goes where it belongs. */
#include "adversity.h"

#include <dlfcn.h>

enum { LEN = MIB, WAYS = 3 };

static const size_t blocks[] = {LEN, 4096, 100000, 128 * 1024, 3, 300000};
static unsigned char buffer[LEN];
static ssize_t (*plugin_read)(int, void *, size_t);
static ssize_t (*plugin_write)(int, const void *, size_t);
static off_t (*plugin_seek)(int, off_t);
static int (*plugin_close)(int);

static void *find(void *plugin, const char *name)
{
	void *found = dlsym(plugin, name);

	must(found != NULL, "dlsym");
	return found;
}

static void load(const char *path, int flags)
{
	void *plugin = dlopen(path, RTLD_NOW | flags);

	if (!plugin)
		dprintf(2, "%s; ", dlerror());
	must(plugin != NULL, "dlopen");
	plugin_read = find(plugin, "plugin_read");
	plugin_write = find(plugin, "plugin_write");
	plugin_seek = find(plugin, "plugin_seek");
	plugin_close = find(plugin, "plugin_close");
}

static ssize_t read_by(int way, int fd, size_t n)
{
	return way == 0   ? read(fd, buffer, n)
	       : way == 1 ? plugin_read(fd, buffer, n)
			  : syscall(SYS_read, fd, buffer, n);
}

static ssize_t write_by(int way, int fd, size_t n)
{
	return way == 0   ? write(fd, buffer, n)
	       : way == 1 ? plugin_write(fd, buffer, n)
			  : syscall(SYS_write, fd, buffer, n);
}

static void read_in_turns(int fd, unsigned seed)
{
	ssize_t n;
	uint64_t at = 0;

	must(plugin_seek(fd, 0) == 0, "lseek");
	while ((n = read_by(seed % WAYS, fd, blocks[seed / 7 % 6])) > 0) {
		must_match(buffer, n, at);
		at += n;
		seed = (seed * 1103515245 + 12345) >> 1;
	}
	must(n == 0 && at == SIZE, "size");
}

static void write_in_turns(int fd, unsigned seed)
{
	must(plugin_seek(fd, 0) == 0, "lseek");
	for (uint64_t at = 0; at < SIZE;) {
		size_t n = blocks[seed / 7 % 6] < SIZE - at ? blocks[seed / 7 % 6] : SIZE - at;

		pattern_fill(buffer, n, at);
		must(write_by(seed % WAYS, fd, n) == (ssize_t)n, "write");
		at += n;
		seed = (seed * 1103515245 + 12345) >> 1;
	}
}

static void in_turns(unsigned seed)
{
	int in = open_src(), out = create("dst"), again;

	read_in_turns(in, seed);
	write_in_turns(out, seed);
	read_in_turns(out, seed + 1);
	must(plugin_close(in) == 0, "close");
	again = open("dst", O_RDONLY);
	must(again == in, "not the same number");
	read_in_turns(again, seed + 2);
	must_close(again);
	must(plugin_close(out) == 0, "close");
	must_hold("dst", SIZE);
	/* a number that was closed unseen is noticed when it is given out again */
	must(open_src() == in && open_src() == out, "not the same numbers");
	must_close(in);
	must_close(out);
}

int main(int argc, char **argv)
{
	int fds = descriptors();

	must(argc == 2, "one word: the plugin");
#ifdef RTLD_DEEPBIND
	load(argv[1], RTLD_DEEPBIND);
	in_turns(1);
#endif
	load(argv[1], RTLD_LOCAL);
	in_turns(99);
	must(descriptors() == fds, "descriptors are left");
	return 0;
}
