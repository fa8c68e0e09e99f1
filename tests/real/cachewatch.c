/* cachewatch.c - how much page cache files hold, seen from another process.
 *
 *   cachewatch run [-s MS] [-o REPORT] PATH... -- COMMAND...
 *       runs COMMAND and looks at the files every 2 ms, half of the time at most. A path whose
 *       last part holds * ? or [ stands for all regular files of that directory that match,
 *       whenever they appear. Prints for each path, in bytes,
 *       `PATH sum=N dirty=N peak=N end=N later=N size=N samples=N`: the most that its files held
 *       together, dirty or under write-out, and the most that one held; what they hold when
 *       COMMAND ends and MS (1000) milliseconds after. Its status is COMMAND's, 128+N after
 *       signal N.
 *   cachewatch pages FILE...     prints `FILE cached=N size=N`
 *   cachewatch drop FILE...      puts files out of the cache; fails where something stays
 *   cachewatch warm FILE...      reads files into the cache; fails where less than all is in it
 *   cachewatch check FILE...     fails where a file is not the pattern from first byte to last
 *   cachewatch make SIZE FILE... writes files of SIZE bytes of the pattern (pattern.h), drops them
 *
 * A file is open only while it is looked at, read-only and without touching its access time.
 * cachestat(2) answers where it can be believed: overlayfs says 0 always,
 * there and on older kernels mincore(2) answers; the mapping is never touched, so it keeps no page
 * alive. */
#include "pattern.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SYS_CACHESTAT = 451, OVERLAYFS = 0x794c7630, CHUNK = 1 << 20 };

struct holding {
	int64_t cached, dirty, size;
};

struct watch {
	const char *path;
	struct holding now, end, later;
	int64_t sum, dirty, peak;
	long samples;
};

static void die(const char *what)
{
	fprintf(stderr, "cachewatch: %s: %s\n", what, strerror(errno));
	exit(125);
}

static int open_quietly(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOATIME | O_CLOEXEC | O_NONBLOCK);

	return fd >= 0 || errno != EPERM ? fd : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static int64_t by_mincore(int fd, int64_t size)
{
	int64_t page = sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page, cached = 0;
	unsigned char *seen = malloc(pages + 1);
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (!seen || map == MAP_FAILED || mincore(map, size, seen))
		die("mincore");
	for (int64_t i = 0; i < pages; i++)
		cached += seen[i] & 1;
	munmap(map, size);
	free(seen);
	return cached * page;
}

static int cachestat_lies(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) || fs.f_type == OVERLAYFS;
}

/* Fills what the file of h->size bytes holds; what is dirty of it only cachestat(2) tells. */
static void look_pages(int fd, struct holding *h)
{
	struct {
		uint64_t off, len;
	} range = {0, 0};
	struct {
		uint64_t cache, dirty, writeback, evicted, recently_evicted;
	} seen = {0};

	if (h->size == 0)
		return;
	if (cachestat_lies(fd) || syscall(SYS_CACHESTAT, fd, &range, &seen, 0)) {
		h->cached = by_mincore(fd, h->size);
		return;
	}
	h->cached = seen.cache * sysconf(_SC_PAGESIZE);
	h->dirty = (seen.dirty + seen.writeback) * sysconf(_SC_PAGESIZE);
}

static struct holding look_fd(int fd)
{
	struct stat st;
	struct holding h = {0};

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		h.size = st.st_size;
		look_pages(fd, &h);
	}
	return h;
}

static struct holding look_file(const char *path)
{
	struct holding h = {0};
	int fd = open_quietly(path);

	if (fd >= 0) {
		h = look_fd(fd);
		close(fd);
	}
	return h;
}

/* Returns what the matching files hold together; *most is what the largest holder holds. */
static struct holding look_glob(const char *path, int64_t *most)
{
	char parent[4096], last[4096], name[8192 + 256];
	struct holding all = {0};
	struct dirent *entry;
	DIR *dir;

	snprintf(parent, sizeof parent, "%s", path);
	snprintf(last, sizeof last, "%s", path);
	const char *where = dirname(parent), *pattern = basename(last);

	*most = 0;
	dir = opendir(where);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_type == DT_DIR || fnmatch(pattern, entry->d_name, 0))
			continue;
		snprintf(name, sizeof name, "%s/%s", where, entry->d_name);
		struct holding h = look_file(name);

		all.cached += h.cached;
		all.dirty += h.dirty;
		all.size += h.size;
		*most = h.cached > *most ? h.cached : *most;
	}
	if (dir)
		closedir(dir);
	return all;
}

static void sample(struct watch *w)
{
	int64_t most;

	if (strpbrk(w->path, "*?[")) {
		w->now = look_glob(w->path, &most);
	} else {
		w->now = look_file(w->path);
		most = w->now.cached;
	}
	w->peak = most > w->peak ? most : w->peak;
	w->sum = w->now.cached > w->sum ? w->now.cached : w->sum;
	w->dirty = w->now.dirty > w->dirty ? w->now.dirty : w->dirty;
	w->samples++;
}

static void sleep_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		execvp(command[0], command);
		fprintf(stderr, "cachewatch: %s: %s\n", command[0], strerror(errno));
		_exit(127);
	}
	return pid;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int watch_child(pid_t pid, struct watch *w, int n)
{
	int status;

	setpriority(PRIO_PROCESS, 0, -10); /* samples in time on a busy machine; may be refused */
	while (waitpid(pid, &status, WNOHANG) == 0) {
		long start = now_ms();

		for (int i = 0; i < n; i++)
			sample(&w[i]);
		sleep_ms(2 + now_ms() - start);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void report(FILE *out, const struct watch *w, int n)
{
	for (int i = 0; i < n; i++)
		fprintf(out,
			"%s sum=%" PRId64 " dirty=%" PRId64 " peak=%" PRId64 " end=%" PRId64
			" later=%" PRId64 " size=%" PRId64 " samples=%ld\n",
			w[i].path, w[i].sum, w[i].dirty, w[i].peak, w[i].end.cached,
			w[i].later.cached, w[i].later.size, w[i].samples);
	if (fclose(out))
		die("report");
}

static int run(int argc, char **argv)
{
	long settle = 1000;
	FILE *out = stdout;
	int opt, n = 0, status;

	while ((opt = getopt(argc, argv, "+s:o:")) != -1) {
		if (opt == 's')
			settle = atol(optarg);
		else if (opt != 'o' || !(out = fopen(optarg, "we")))
			die(optarg ? optarg : "usage");
	}
	struct watch *w = calloc(argc, sizeof *w);

	for (; optind < argc && strcmp(argv[optind], "--"); optind++)
		w[n++].path = argv[optind];
	if (optind + 1 >= argc)
		die("run: no COMMAND");
	status = watch_child(start(argv + optind + 1), w, n);
	for (int i = 0; i < n; i++) {
		sample(&w[i]);
		w[i].end = w[i].now;
	}
	sleep_ms(settle);
	for (int i = 0; i < n; i++) {
		sample(&w[i]);
		w[i].later = w[i].now;
	}
	report(out, w, n);
	return status;
}

static int pages(const char *path)
{
	struct holding h = look_file(path);

	printf("%s cached=%" PRId64 " size=%" PRId64 "\n", path, h.cached, h.size);
	return 0;
}

static int drop(const char *path)
{
	struct holding h;
	int fd = open_quietly(path);

	if (fd < 0)
		die(path);
	for (int tries = 0; tries < 50; tries++) {
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		h = look_fd(fd);
		if (h.cached == 0)
			break;
		fsync(fd); /* only now: on a clean file it still waits for the disk */
		sleep_ms(tries ? 5 : 0);
	}
	close(fd);
	if (h.cached)
		fprintf(stderr, "cachewatch: %s: %" PRId64 " bytes stay cached\n", path, h.cached);
	return h.cached != 0;
}

/* A busy machine may take a page back while others are read: read again then. */
static int warm(const char *path)
{
	static char buffer[CHUNK];
	int fd = open_quietly(path);
	struct holding h = {0};

	if (fd < 0)
		die(path);
	for (int tries = 0; tries < 3 && (!tries || h.cached < h.size); tries++) {
		for (off_t at = 0, n; (n = pread(fd, buffer, sizeof buffer, at)) > 0; at += n)
			;
		h = look_fd(fd);
	}
	close(fd);
	if (h.cached < h.size)
		fprintf(stderr, "cachewatch: %s: only %" PRId64 " bytes are cached\n", path,
			h.cached);
	return h.cached < h.size;
}

static int check(const char *path)
{
	static unsigned char buffer[CHUNK];
	int fd = open_quietly(path);
	int64_t at = 0;
	ssize_t n;

	if (fd < 0)
		die(path);
	while ((n = read(fd, buffer, sizeof buffer)) > 0) {
		int64_t right = pattern_check(buffer, n, at);

		at += right;
		if (right < n)
			break;
	}
	close(fd);
	if (n)
		fprintf(stderr, "cachewatch: %s: wrong byte at %" PRId64 "\n", path, at);
	return n != 0;
}

static int make(const char *path, int64_t size)
{
	static unsigned char buffer[CHUNK];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		die(path);
	for (int64_t at = 0; at < size; at += CHUNK) {
		size_t len = size - at < CHUNK ? size - at : CHUNK;

		pattern_fill(buffer, len, at);
		if (write(fd, buffer, len) != (ssize_t)len)
			die(path);
	}
	if (close(fd))
		die(path);
	return drop(path);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	int failed = 0;

	if (strcmp(verb, "run") == 0)
		return run(argc - 1, argv + 1);
	if (strcmp(verb, "make") == 0) {
		for (int i = 3; i < argc; i++)
			failed |= make(argv[i], atoll(argv[2]));
		return failed;
	}
	int (*each)(const char *) = strcmp(verb, "pages") == 0   ? pages
				    : strcmp(verb, "check") == 0 ? check
				    : strcmp(verb, "drop") == 0  ? drop
				    : strcmp(verb, "warm") == 0  ? warm
								 : NULL;

	if (!each) {
		fprintf(stderr,
			"usage: cachewatch run|pages|drop|warm|check|make ... (see the source)\n");
		return 2;
	}
	for (int i = 2; i < argc; i++)
		failed |= each(argv[i]);
	return failed;
}
