/*
 * probe.h - what the files of nocache-probe share: what is found out, and the scratch files.
 *
 * The facts come from the library's own functions (core.a), on scratch files that the preloaded
 * library does not see; what `auto` would do is seen by doing it through libc and asking the
 * library (nocache.h). A scratch file has no name, so none can be left behind.
 */
#ifndef NOCACHE_PROBE_H
#define NOCACHE_PROBE_H

#include "fsinfo.h"
#include "nocache.h"
#include "residency.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/utsname.h>

enum { BLOCK = 128 * 1024, FILL = 8 * 1024 * 1024, JOB = 32 * 1024 * 1024, UNKNOWN = -1 };

/*
 * What a busy machine may hide is tried so many times, after naps that double, before it is taken
 * for impossible: whoever reads or writes out a page holds it for a moment, and it stays cached.
 */
enum { TRIES = 4, TRY_NAP_NS = 3000000 };

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
	bool dontcache_off; /* it is taken, but not used on this kernel */
	int64_t noreuse;    /* 0 or -errno, like the next two */
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

enum { JOBS = 5, JOB_COPY = 2, JOB_SMALL = 3 };

/* The directory that is asked about, and FILL bytes aligned to 2 MiB, and as many to spare. */
extern const char *where;
extern char *memory;

/* Ends the program with what failed, and why where `error` is not 0. */
void fail(const char *what, int error);

/* A file without a name, in the place that is asked about, that the preloaded library ignores. */
int scratch_unseen(void);

/* One of JOB bytes that is not cached, and that nobody has open for writing. */
int scratch_cold(const struct facts *facts);

/* Another description of the file, which the preloaded library ignores, or -errno. */
int scratch_again(int fd, int flags);

/* Writes `n` bytes at `at`. */
void scratch_put(int fd, int64_t at, int64_t n);

/* How many bytes of the range are cached, or UNKNOWN. */
int64_t scratch_cached(const struct facts *facts, int fd, int64_t at, int64_t n);

/* Takes the first FILL bytes of the file out of the cache; returns what stays. */
int64_t scratch_drop(const struct facts *facts, int fd);

/* Each fills its facts by trying; `fd` is a scratch file of FILL bytes. */
void try_all(struct facts *facts);
void try_cache(struct facts *facts, int fd);
void try_folios(struct facts *facts);
void try_direct(struct facts *facts, int fd);
void try_dontcache(struct facts *facts);

/* Does the jobs through libc, as any program, and sees what became of them. */
void choices(const struct facts *facts, struct job jobs[JOBS]);

/* What was found out, for a reader and as one JSON object. */
void print_text(const struct facts *facts, const struct job jobs[JOBS]);
void print_json(const struct facts *facts, const struct job jobs[JOBS]);

#endif
