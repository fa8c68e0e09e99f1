/* same.c - are the two sides' traces, files, messages and ends the same? */
#include "diff.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct bytes {
	char *at;
	size_t len;
};

static const char *const side_names[SIDES] = {"bare", "shim"};

const char *side_path(const struct trial *t, int side, const char *suffix)
{
	static char path[SIDES][4200];

	snprintf(path[side], sizeof(path[side]), "%s/%s%s", t->work, side_names[side], suffix);
	return path[side];
}

static struct bytes bytes_map(const char *path)
{
	struct bytes b = {"", 0};
	struct stat st;
	int fd = open(path, O_RDONLY);
	void *at = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (at != MAP_FAILED)
		b = (struct bytes){at, st.st_size};
	return b;
}

static void bytes_unmap(struct bytes b)
{
	if (b.len)
		munmap(b.at, b.len);
}

static int bytes_same(struct bytes a, struct bytes b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

/* trace.c: the count of bytes used, the room there is, and the text. */
static struct bytes trace_text(struct bytes map)
{
	size_t head[2] = {0};

	if (map.len < sizeof(head))
		return (struct bytes){"", 0};
	memcpy(head, map.at, sizeof(head));
	return (struct bytes){map.at + sizeof(head), head[0]};
}

static size_t line_start(struct bytes text, size_t at)
{
	while (at > 0 && text.at[at - 1] != '\n')
		at--;
	return at;
}

static void line_print(int side, struct bytes text, size_t start)
{
	size_t len = 0;

	while (start + len < text.len && text.at[start + len] != '\n')
		len++;
	printf("%s: %.*s\n", side_names[side], (int)len, text.at + start);
}

/* A line that begins with a digit begins with its operation's number. */
static long line_op(struct bytes text, size_t start)
{
	while (start > 0 && (start >= text.len || text.at[start] < '0' || text.at[start] > '9'))
		start = line_start(text, start - 1);
	return start < text.len ? atol(text.at + start) : 0;
}

static int traces_same(const struct trial *t, int verbose, long *op)
{
	struct bytes map[SIDES], text[SIDES];
	size_t at = 0, least;
	int same;

	for (int side = 0; side < SIDES; side++) {
		map[side] = bytes_map(side_path(t, side, ".trace"));
		text[side] = trace_text(map[side]);
	}
	least = text[0].len < text[1].len ? text[0].len : text[1].len;
	while (at < least && text[0].at[at] == text[1].at[at])
		at++;
	same = at == least && text[0].len == text[1].len;
	at = line_start(text[0], at);
	*op = same ? -1 : line_op(text[0], at);
	for (int side = 0; side < SIDES; side++) {
		if (!same && verbose)
			line_print(side, text[side], at);
		bytes_unmap(map[side]);
	}
	return same;
}

static int file_same(const struct trial *t, const char *name, int verbose)
{
	char suffix[300];
	struct bytes file[SIDES];
	int same;

	snprintf(suffix, sizeof(suffix), "/%s", name);
	for (int side = 0; side < SIDES; side++)
		file[side] = bytes_map(side_path(t, side, suffix));
	same = bytes_same(file[0], file[1]) &&
	       access(side_path(t, 0, suffix), F_OK) == access(side_path(t, 1, suffix), F_OK);
	if (!same && verbose)
		printf("file %s: bare %zu bytes, shim %zu bytes, not the same\n", name, file[0].len,
		       file[1].len);
	for (int side = 0; side < SIDES; side++)
		bytes_unmap(file[side]);
	return same;
}

static int files_same(const struct trial *t, int verbose)
{
	int same = 1;

	for (int side = 0; side < SIDES; side++) {
		DIR *dir = opendir(side_path(t, side, ""));
		struct dirent *entry;

		while (dir && same && (entry = readdir(dir)))
			if (entry->d_name[0] != '.')
				same = file_same(t, entry->d_name, verbose);
		if (dir)
			closedir(dir);
	}
	return same;
}

static void status_print(int side, int status)
{
	if (status == -1)
		printf("%s: hung and was killed\n", side_names[side]);
	else if (WIFSIGNALED(status))
		printf("%s: died of signal %d\n", side_names[side], WTERMSIG(status));
	else if (status)
		printf("%s: ended with status %d\n", side_names[side], WEXITSTATUS(status));
}

static int messages_same(const struct trial *t, int verbose)
{
	struct bytes bare = bytes_map(side_path(t, SIDE_BARE, ".err"));
	struct bytes shim = bytes_map(side_path(t, SIDE_SHIM, ".err"));
	int same = bytes_same(bare, shim);

	if (!same && verbose)
		printf("messages: bare: %.*s\nmessages: shim: %.*s\n", (int)bare.len, bare.at,
		       (int)shim.len, shim.at);
	bytes_unmap(bare);
	bytes_unmap(shim);
	return same;
}

/* The directory holds files only: oracle-run makes no others. */
static void directory_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	mkdir(path, 0755);
}

static int list_save(const struct trial *t)
{
	char path[4200];
	FILE *to;

	snprintf(path, sizeof(path), "%s/list", t->work);
	to = fopen(path, "w");
	if (!to)
		return -1;
	list_write(t->list, to);
	return fclose(to);
}

int trial_run(const struct trial *t, int verbose, long *op)
{
	int status[SIDES], same;

	*op = -1;
	if (t->list && list_save(t))
		return TRIAL_BROKEN;
	for (int side = 0; side < SIDES; side++) {
		directory_empty(side_path(t, side, ""));
		status[side] = spawn_side(t, side);
		if (verbose)
			status_print(side, status[side]);
	}
	same = traces_same(t, verbose, op);
	same = same && files_same(t, verbose) && messages_same(t, verbose);
	if (status[SIDE_BARE])
		return TRIAL_BROKEN;
	return same && status[SIDE_SHIM] == 0 ? TRIAL_SAME : TRIAL_DIFFERS;
}
