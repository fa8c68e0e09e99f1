/*
 * nocache-probe.c - what a directory's file system and this kernel offer, found out by trying.
 *
 *   nocache-probe [-j] PATH
 *
 * Run by `nocache --probe`. The facts come from the library's own functions (core.a), on scratch
 * files that the preloaded library does not see; what `auto` would do is seen by doing it through
 * libc and asking the library (nocache.h). A scratch file has no name, so none can be left behind.
 */
#include "fdlink.h"
#include "fsinfo.h"
#include "nocache.h"
#include "residency.h"
#include "sys.h"
#include "twin.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/stat.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x80
#endif

enum { BLOCK = 128 * 1024, FILL = 8 * 1024 * 1024, JOB = 32 * 1024 * 1024, UNKNOWN = -1 };
enum { DROP_NAPS = 100, DROP_NAP_NS = 2000000 };

/* What was found out. Sizes in bytes; 0 for: not had; UNKNOWN for: could not be seen. */
struct facts {
	const char *fs;
	uint64_t dev;
	struct utsname kernel;
	struct fsinfo info;
	enum probe probe;
	bool kept;             /* what is written stays in the page cache at all */
	int64_t cachestat;     /* bytes it saw of FILL that were cached, or -errno */
	int64_t mincore;       /* the same */
	int64_t folio;         /* the smallest windows in which all of the cache goes */
	int64_t direct_taken;  /* the least direct write that is accepted */
	int64_t direct_true;   /* the least that goes past the cache */
	int64_t direct_memory; /* what its buffer must be aligned to */
	int64_t direct_said;   /* what statx(2) says: offset */
	int64_t direct_block;  /* what the library would use */
	int64_t direct_error;
	int64_t dontcache_write; /* bytes of FILL that it leaves in the cache, or -errno */
	int64_t dontcache_read;
	int64_t noreuse; /* 0 or -errno, like the next two */
	int64_t reflink;
	int64_t lease;
};

/* What `auto` did with a job. */
struct job {
	const char *name;
	const char *key;
	const char *policy;
	const char *reason;
	int64_t held; /* in the cache when the job was done, and after its close */
	int64_t left;
};

static const char *where;
static char *memory;

static void fail(const char *what, int error)
{
	fprintf(stderr, "nocache: %s: %s%s%s\n", where, what, error ? ": " : "",
		error ? strerror(error) : "");
	exit(1);
}

/* A file without a name, in the place that is asked about. */
static int scratch(void)
{
	sigset_t all, old;
	char path[4096];
	int fd = open(where, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof(path), "%s/.nocache-probe.XXXXXX", where) >= (int)sizeof(path))
		fail("the path is too long", 0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		fail("no scratch file can be made there", errno);
	unlink(path);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return fd;
}

/* The same for the library's own functions: the preloaded library does not know the descriptor. */
static int unseen_scratch(void)
{
	int fd = scratch();
	long own = sys_duplicate(fd, 100);

	close(fd);
	if (sys_failed(own))
		fail("no descriptor", (int)-own);
	return (int)own;
}

static int again(int fd, int flags)
{
	return (int)fdlink_open(fd, flags | O_CLOEXEC);
}

static void put(int fd, int64_t at, int64_t n)
{
	for (int64_t end = at + n; at < end;) {
		long moved = sys_pwrite(fd, memory, (size_t)smaller(BLOCK, end - at), at);

		if (moved <= 0)
			fail("cannot write a scratch file", moved ? (int)-moved : ENOSPC);
		at += moved;
	}
}

static int64_t cached(const struct facts *facts, int fd, int64_t at, int64_t n)
{
	return residency_bytes(facts->probe, fd, at, n);
}

/* Takes the file out of the cache; returns what stays. */
static int64_t drop(const struct facts *facts, int fd)
{
	sys_datasync(fd);
	pages_release(facts->probe, fd, 0, FILL, PATIENCE_READING);
	return cached(facts, fd, 0, FILL);
}

/* A file of JOB bytes that is not cached, and that nobody has open for writing. */
static int cold(const struct facts *facts)
{
	int fd = unseen_scratch(), reader;

	put(fd, 0, JOB);
	sys_datasync(fd);
	pages_release(facts->probe, fd, 0, JOB, PATIENCE_READING);
	reader = again(fd, O_RDONLY);
	sys_close(fd);
	if (reader < 0)
		fail("a scratch file cannot be opened again", -reader);
	return reader;
}

static void look_at_cache(struct facts *facts, int fd)
{
	struct sys_cachestat stat;
	long result = sys_cachestat(fd, 0, FILL, &stat);
	struct statx st;

	facts->cachestat = sys_failed(result) ? result : (int64_t)stat.cached * PAGE;
	facts->mincore = residency_bytes(PROBE_MINCORE, fd, 0, FILL);
	if (sys_failed(sys_stat(fd, &st)))
		fail("cannot look at a scratch file", EIO);
	facts->probe =
		residency_first(fd, facts->info.cachestat_blind, st.stx_uid, FILL, &(int64_t){0});
	facts->kept = cached(facts, fd, 0, FILL) > 0;
}

/*
 * Folios grow with the readahead. Windows that are smaller than a folio drop nothing of it: the one
 * after which all is gone is as large as the largest.
 */
static void look_at_folios(struct facts *facts)
{
	int fd = cold(facts), reader = again(fd, O_RDONLY);

	for (int64_t at = 0; at < JOB; at += BLOCK)
		sys_pread(reader, memory, BLOCK, at);
	sys_close(reader);
	if (cached(facts, fd, 0, JOB) == 0)
		facts->kept = false;
	for (int64_t window = PAGE; facts->kept && window <= FILL && !facts->folio; window *= 2) {
		for (int64_t at = 0; at < JOB; at += window)
			sys_advise(fd, at, window, POSIX_FADV_DONTNEED);
		if (cached(facts, fd, 0, JOB) == 0)
			facts->folio = window;
	}
	sys_close(fd);
}

/*
 * Whether a direct write is accepted. Not asked by reads, which succeed at any offset in a hole;
 * what is written is what is there.
 */
static bool direct_takes(int direct, int64_t at, int64_t n, int64_t shift)
{
	return sys_pwrite(direct, memory + shift, (size_t)n, at) == n;
}

/* Whether neither that write nor a read leaves pages, as where it is buffered in secret. */
static bool direct_passes(const struct facts *facts, int fd, int direct, int64_t at, int64_t n,
			  int64_t shift)
{
	int64_t from = align_down(at, PAGE);

	return direct_takes(direct, at, n, shift) && cached(facts, fd, from, 2 * PAGE) == 0 &&
	       sys_pread(direct, memory + shift, (size_t)n, at) == n &&
	       cached(facts, fd, from, 2 * PAGE) == 0;
}

static void look_at_direct(struct facts *facts, int fd)
{
	static const int sizes[] = {1, 512, 1024, 2048, 4096};
	int direct = again(fd, O_RDWR | O_DIRECT);

	facts->direct_block = twin_block(fd, facts->dev);
	facts->direct_said = larger(sys_direct_block(fd), 0);
	facts->direct_error = direct < 0 ? direct : 0;
	for (int i = 0; i < 5 && direct >= 0 && !facts->direct_true; i++) {
		int64_t n = sizes[i], at = FILL / 2 + n;

		drop(facts, fd);
		if (!facts->direct_taken && direct_takes(direct, at, n, 0))
			facts->direct_taken = n;
		drop(facts, fd);
		if (facts->kept && direct_passes(facts, fd, direct, at, n, 0))
			facts->direct_true = n;
	}
	for (int shift = 1; facts->direct_true && shift <= PAGE && !facts->direct_memory;
	     shift *= 2) {
		drop(facts, fd);
		if (direct_passes(facts, fd, direct, FILL / 2, PAGE, shift % PAGE))
			facts->direct_memory = shift;
	}
	if (direct >= 0)
		sys_close(direct);
}

/* The pages go some time after the write-out. */
static int64_t left_after_a_while(const struct facts *facts, int fd)
{
	sys_datasync(fd);
	for (int naps = 0; naps < DROP_NAPS && cached(facts, fd, 0, FILL) > 0; naps++)
		sys_sleep(DROP_NAP_NS);
	return cached(facts, fd, 0, FILL);
}

static void look_at_dontcache(struct facts *facts)
{
	struct iovec iov = {memory, BLOCK};
	int fd = unseen_scratch();
	long moved = 0;

	for (int64_t at = 0; at < FILL && moved >= 0; at += BLOCK)
		moved = sys_pwritev2(fd, &iov, 1, at, RWF_DONTCACHE);
	facts->dontcache_write = moved < 0 ? moved : left_after_a_while(facts, fd);
	if (moved < 0)
		put(fd, 0, FILL);
	drop(facts, fd);
	iov.iov_len = FILL;
	moved = sys_preadv2(fd, &iov, 1, 0, RWF_DONTCACHE);
	facts->dontcache_read = moved < 0 ? moved : left_after_a_while(facts, fd);
	sys_close(fd);
}

static void look_at_reflink(struct facts *facts, int fd)
{
	int target = unseen_scratch();

	facts->reflink = ioctl(target, FICLONE, fd) == 0 ? 0 : -errno;
	sys_close(target);
}

/* Closes `fd`: a lease is only had while nobody has the file open for writing. */
static void look_at_lease(struct facts *facts, int fd)
{
	struct twin reader = {.fd = again(fd, O_RDONLY)};

	sys_close(fd);
	facts->lease = reader.fd < 0 ? reader.fd : twin_probe_writers(&reader);
	sys_close(reader.fd);
}

static void find_out(struct facts *facts)
{
	int fd = unseen_scratch();
	struct statx st;

	uname(&facts->kernel);
	if (sys_failed(sys_stat(fd, &st)))
		fail("cannot look at a scratch file", EIO);
	facts->dev = file_dev(&st);
	facts->info = fsinfo_of(fd, facts->dev);
	facts->fs = fsinfo_name(fd, facts->dev);
	put(fd, 0, FILL);
	look_at_cache(facts, fd);
	look_at_folios(facts);
	look_at_direct(facts, fd);
	look_at_dontcache(facts);
	facts->noreuse = sys_advise(fd, 0, 0, POSIX_FADV_NOREUSE);
	look_at_reflink(facts, fd);
	look_at_lease(facts, fd);
}

/* A description that the preloaded library sees, of a file that it does not know. */
static int seen(int fd, int flags)
{
	char path[32];
	int second;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	second = open(path, flags | O_CLOEXEC);
	if (second < 0)
		fail("a scratch file cannot be opened again", errno);
	return second;
}

static void end(const struct facts *facts, struct job *job, int fd, int unseen)
{
	if (nocache_status)
		nocache_status(fd, &job->policy, &job->reason);
	job->held = cached(facts, unseen, 0, JOB);
	close(fd);
	job->left = cached(facts, unseen, 0, JOB);
}

static void move(int fd, bool writes, int64_t n, int64_t block)
{
	ssize_t moved = 1;

	for (int64_t at = 0; at < n && moved > 0; at += moved)
		moved = writes ? write(fd, memory, (size_t)block) : read(fd, memory, (size_t)block);
	if (moved <= 0)
		fail("cannot use a scratch file", errno);
}

static void do_read(const struct facts *facts, struct job *job)
{
	int unseen = cold(facts), fd = seen(unseen, O_RDONLY);

	move(fd, false, JOB, BLOCK);
	end(facts, job, fd, unseen);
	sys_close(unseen);
}

static void do_write(const struct facts *facts, struct job *job, int64_t n)
{
	int unseen = unseen_scratch(), fd = seen(unseen, O_WRONLY);

	move(fd, true, n, smaller(n, BLOCK));
	end(facts, job, fd, unseen);
	sys_close(unseen);
}

static void do_copy(const struct facts *facts, struct job *job)
{
	int source = cold(facts), target = unseen_scratch();
	int in = seen(source, O_RDONLY), out = seen(target, O_WRONLY);
	ssize_t moved = 1;

	for (int64_t at = 0; at < JOB && moved > 0; at += moved)
		moved = copy_file_range(in, NULL, out, NULL, JOB, 0);
	end(facts, job, out, target);
	if (moved <= 0)
		job->policy = job->reason = "-";
	close(in);
	job->held += cached(facts, source, 0, JOB);
	sys_close(source);
	sys_close(target);
}

static void do_random(const struct facts *facts, struct job *job)
{
	int unseen = cold(facts), fd = seen(unseen, O_RDONLY);

	for (int64_t i = 1; i <= 256; i++)
		if (pread(fd, memory, PAGE, i * 7919 % (JOB / PAGE) * PAGE) < 0)
			fail("cannot use a scratch file", errno);
	end(facts, job, fd, unseen);
	sys_close(unseen);
}

enum { JOBS = 5, PATH_COLUMNS = 77 };

static void do_jobs(const struct facts *facts, struct job jobs[JOBS])
{
	static const struct job names[JOBS] = {{"large read", "large_read", "-", "-", 0, 0},
					       {"large write", "large_write", "-", "-", 0, 0},
					       {"copy", "copy", "-", "-", 0, 0},
					       {"small file", "small_file", "-", "-", 0, 0},
					       {"random reads", "random_reads", "-", "-", 0, 0}};

	memcpy(jobs, names, sizeof(names));
	do_read(facts, &jobs[0]);
	do_write(facts, &jobs[1], JOB);
	do_copy(facts, &jobs[2]);
	do_write(facts, &jobs[3], 16 * 1024);
	do_random(facts, &jobs[4]);
}

static const char *size(int64_t n, char room[32])
{
	if (n < 0)
		return "unknown";
	if (n && n % (1024 * 1024) == 0)
		snprintf(room, 32, "%lld MiB", (long long)n / (1024 * 1024));
	else if (n && n % 1024 == 0)
		snprintf(room, 32, "%lld KiB", (long long)n / 1024);
	else
		snprintf(room, 32, "%lld byte%s", (long long)n, n == 1 ? "" : "s");
	return room;
}

static const char *no(int64_t error, char room[64])
{
	snprintf(room, 64, "no (%s)", strerror((int)-error));
	return room;
}

static void line(const char *name, const char *text)
{
	printf("%-15s %s\n", name, text);
}

static const char *direct_words(const struct facts *facts, char room[128])
{
	char a[32], b[32];

	if (facts->direct_error)
		return no(facts->direct_error, room);
	if (!facts->direct_taken)
		return "opens, but writes of up to 4 KiB are refused";
	if (!facts->direct_true)
		return facts->kept ? "accepted, but the bytes go through the page cache"
				   : "accepted; whether bytes pass by the cache is not seen here";
	snprintf(room, 128, "yes: from %s, memory aligned to %s%s", size(facts->direct_true, a),
		 size(facts->direct_memory, b),
		 facts->direct_taken < facts->direct_true ? "; less is cached" : "");
	return room;
}

static const char *effect_words(int64_t left, char room[64])
{
	char a[32];

	if (left == -EOPNOTSUPP || left == -EINVAL)
		return "no";
	if (left < -1)
		return no(left, room);
	if (left <= 0)
		return left ? "accepted, effect unknown" : "yes";
	if (left >= FILL)
		return "accepted, no effect";
	snprintf(room, 64, "partly (%s of 8 MiB stay)", size(left, a));
	return room;
}

static const char *sees_words(const struct facts *facts, int64_t seen_bytes, char room[64])
{
	char a[32];

	if (seen_bytes < 0)
		return no(seen_bytes == UNKNOWN ? -EPERM : seen_bytes, room);
	if (seen_bytes >= FILL || !facts->kept)
		return "yes";
	snprintf(room, 64, "misleads (sees %s where 8 MiB are cached)", size(seen_bytes, a));
	return room;
}

static const char *folio_words(const struct facts *facts, char room[128])
{
	char a[32];

	if (!facts->kept)
		return "nothing stays in the cache here";
	if (!facts->folio)
		return "the page cache cannot be dropped here";
	if (facts->folio == PAGE)
		return "no: single pages can be dropped";
	snprintf(room, 128, "yes: only pieces of %s and more are dropped", size(facts->folio, a));
	return room;
}

static const char *lease_words(const struct facts *facts, char room[64])
{
	if (facts->lease)
		return no(facts->lease, room);
	return facts->info.tells_changes
		       ? "yes: reading ahead into own memory is possible"
		       : "yes, but changes are not told: no reading ahead into memory";
}

static void print_notes(const struct facts *facts, const struct job jobs[JOBS])
{
	bool shares = !facts->reflink && !jobs[2].held;
	bool later = jobs[3].left > 0 && strcmp(jobs[3].policy, "off") != 0;

	if (shares || later)
		putchar('\n');
	if (shares)
		puts("A copy shares the blocks of its source: nothing is moved.");
	if (later)
		puts("Small files are let go some at a time, at the latest when a program ends.");
	if (!nocache_status)
		puts("\nThe library is not preloaded: auto did nothing (see nocache --probe).");
}

static void print_text(const struct facts *facts, const struct job jobs[JOBS])
{
	char room[128], other[128], left[32], held[32];

	printf("%s%s\n%s, kernel %s\n\n", strlen(where) > PATH_COLUMNS ? "..." : "",
	       where + larger((int64_t)strlen(where) - PATH_COLUMNS, 0), facts->fs,
	       facts->kernel.release);
	line("O_DIRECT", direct_words(facts, room));
	snprintf(other, sizeof(other), "written: %s; ", effect_words(facts->dontcache_write, room));
	printf("%-15s %sread: %s\n", "RWF_DONTCACHE", other,
	       effect_words(facts->dontcache_read, room));
	line("cachestat", sees_words(facts, facts->cachestat, room));
	line("mincore", sees_words(facts, facts->mincore, room));
	line("NOREUSE",
	     facts->noreuse ? no(facts->noreuse, room) : "accepted (Linux does little with it)");
	line("large folios", folio_words(facts, room));
	line("reflink", facts->reflink ? no(facts->reflink, room) : "yes");
	line("leases", lease_words(facts, room));
	printf("\n%-15s %-10s %-14s %-10s %s\n", "auto does here", "policy", "reason", "cached",
	       "after close");
	for (int i = 0; i < JOBS; i++)
		printf("%-15s %-10s %-14s %-10s %s\n", jobs[i].name, jobs[i].policy, jobs[i].reason,
		       size(jobs[i].held, held), size(jobs[i].left, left));
	print_notes(facts, jobs);
}

/* As JSON, any path: what is not plain is %XX. */
static void print_path(const char *path)
{
	for (; *path; path++)
		if (*path < ' ' || *path > '~' || strchr("%\"\\", *path))
			printf("%%%02X", (unsigned char)*path);
		else
			putchar(*path);
}

static const char *json_effect(int64_t left)
{
	return left == UNKNOWN ? "\"unknown\""
	       : left < 0      ? "\"no\""
	       : left == 0     ? "\"yes\""
	       : left >= FILL  ? "\"none\""
			       : "\"partly\"";
}

static const char *json_sees(const struct facts *facts, int64_t seen_bytes)
{
	return seen_bytes < 0                       ? "\"no\""
	       : seen_bytes >= FILL || !facts->kept ? "\"yes\""
						    : "\"misleads\"";
}

static void print_json(const struct facts *facts, const struct job jobs[JOBS])
{
	printf("{\"path\":\"");
	print_path(where);
	printf("\",\"fs\":\"%s\",\"kernel\":\"%s\"", facts->fs, facts->kernel.release);
	printf(",\"direct\":{\"opens\":%s,\"accepts\":%lld,\"past_cache\":%lld,\"memory\":%lld,"
	       "\"statx\":%lld,\"used\":%lld}",
	       facts->direct_error ? "false" : "true", (long long)facts->direct_taken,
	       (long long)facts->direct_true, (long long)facts->direct_memory,
	       (long long)facts->direct_said, (long long)facts->direct_block);
	printf(",\"dontcache\":{\"write\":%s,\"read\":%s}", json_effect(facts->dontcache_write),
	       json_effect(facts->dontcache_read));
	printf(",\"cachestat\":%s,\"mincore\":%s", json_sees(facts, facts->cachestat),
	       json_sees(facts, facts->mincore));
	printf(",\"noreuse\":%s,\"drops_from\":%lld", facts->noreuse ? "false" : "true",
	       (long long)facts->folio);
	printf(",\"reflink\":%s,\"lease\":%s,\"read_ahead\":%s,\"auto\":{",
	       facts->reflink ? "false" : "true", facts->lease ? "false" : "true",
	       !facts->lease && facts->info.tells_changes ? "true" : "false");
	for (int i = 0; i < JOBS; i++)
		printf("%s\"%s\":{\"policy\":\"%s\",\"reason\":\"%s\",\"cached\":%lld,"
		       "\"after_close\":%lld}",
		       i ? "," : "", jobs[i].key, jobs[i].policy, jobs[i].reason,
		       (long long)jobs[i].held, (long long)jobs[i].left);
	printf("}}\n");
}

/* The directory that is meant: that of a file which is named. */
static const char *directory_of(const char *path)
{
	struct stat st;
	char *copy, *slash;

	if (stat(path, &st) != 0)
		fail("cannot be probed", errno);
	if (S_ISDIR(st.st_mode))
		return path;
	copy = strdup(path);
	slash = copy ? strrchr(copy, '/') : NULL;
	if (!slash)
		return ".";
	slash[slash == copy] = '\0';
	return copy;
}

int main(int argc, char **argv)
{
	bool json = argc == 3 && !strcmp(argv[1], "-j");
	struct facts facts = {.fs = "-"};
	struct job jobs[JOBS];

	if (argc != 2 + json) {
		fputs("usage: nocache-probe [-j] PATH\n", stderr);
		return 2;
	}
	where = argv[argc - 1];
	where = directory_of(where);
	memory = aligned_alloc(2 * 1024 * 1024, FILL + 2 * 1024 * 1024);
	if (!memory)
		fail("no memory", ENOMEM);
	memset(memory, 'n', FILL);
	find_out(&facts);
	do_jobs(&facts, jobs);
	if (json)
		print_json(&facts, jobs);
	else
		print_text(&facts, jobs);
	return fflush(stdout) == 0 ? 0 : 1;
}
