/*
 * fake_sys.h - a kernel in memory, in place of shim/sys: files with a state for each page, open
 * descriptions, faults at the n-th call, and a clock that moves only when somebody sleeps.
 *
 * Programs named test_core_* are linked with it before core.a, so that the linker takes its
 * functions of sys.h. Check runs each test in a process of its own: each has a fresh kernel.
 * What no correct caller asks for (a range below 0, pages that are not aligned, an unmap of what
 * is not mapped) ends the test. Offsets and lengths are bytes.
 */
#ifndef NOCACHE_FAKE_SYS_H
#define NOCACHE_FAKE_SYS_H

#include "align.h"
#include "sys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum fake_call {
	CALL_openat,
	CALL_close,
	CALL_read,
	CALL_write,
	CALL_pread,
	CALL_pwrite,
	CALL_preadv2,
	CALL_pwritev2,
	CALL_getflags,
	CALL_setflags,
	CALL_duplicate,
	CALL_getpid,
	CALL_getcwd,
	CALL_readlink,
	CALL_geteuid,
	CALL_sleep,
	CALL_file_limit,
	CALL_clock,
	CALL_lseek,
	CALL_stat,
	CALL_fstype,
	CALL_advise,
	CALL_writeout,
	CALL_writeout_wait,
	CALL_datasync,
	CALL_cachestat,
	CALL_map,
	CALL_map_file,
	CALL_unmap,
	CALL_mincore,
	CALL_madvise,
	CALL_peek,
	CALLS
};

/* The state of a page. THEIRS: somebody else brought it in. */
enum { CACHED = 1, DIRTY = 2, UNDER_IO = 4, MAPPED = 8, THEIRS = 16 };

enum { NEVER = -1 }; /* naps that a write-out takes */

struct fake_file {
	char path[256];
	int64_t size;
	uint32_t mode, uid;
	uint64_t ino;
	uint32_t minor;
	long fstype;
	bool unlinked;
	bool locked; /* a close by the shim would drop the program's locks: ends the test */
	bool stores; /* keeps its bytes; else reads leave the buffer as it is */
	unsigned char *data, *pages;
	int64_t room; /* of both */

	int64_t own, own_peak; /* bytes cached that nobody else brought in */
	int64_t dirty, dirty_peak;
	int naps, naps_left; /* that its write-out takes */
	long write_error;    /* what the next wait for a write-out reports */
	int64_t piece;       /* most that one advice brings in */
	int64_t folio;       /* only whole ones are dropped */
	bool clings;         /* drops nothing */
	bool blind;          /* its cachestat says 0 */
};

struct fake_description {
	struct fake_file *file;
	int64_t offset, next; /* next: where a sequential read would begin */
	int flags, refs;
	bool random, hidden; /* hidden: opened by the shim */
};

struct fake_step {
	enum fake_call call;
	const struct fake_file *file;
	int64_t offset, length;
	int advice;
};

enum { FAKE_FDS = 200, FAKE_FILES = 200, FAKE_STEPS = 8192 };

extern struct fake {
	unsigned long calls[CALLS];
	struct fake_step step[FAKE_STEPS];
	int steps;
	long pid, ppid, euid;
	uint64_t file_limit;
	int64_t wall, steady;
	int64_t readahead;
	int64_t maps; /* that are there now */
	int hidden;   /* descriptors that the shim holds */
	int files;
	struct fake_file file[FAKE_FILES];
	struct fake_description *fd[FAKE_FDS];
	void (*before)(enum fake_call call); /* called before each call is done */
} fake;

/* A file of `size` bytes that is not cached, on ext4; one that holds `text`. */
struct fake_file *fake_file(const char *path, int64_t size);
struct fake_file *fake_text(const char *path, const char *text);
struct fake_file *fake_find(const char *path);

/* The file keeps its bytes: each is a pattern of its offset at first. */
void fake_store(struct fake_file *file);
unsigned char fake_pattern(int64_t offset);

/* What programs do; no call of the shim, so it is not counted and has no faults. */
int fake_open(struct fake_file *file, int flags);
int fake_dup(int fd);
void fake_close(int fd);
ssize_t fake_read(int fd, void *buffer, size_t n, int64_t offset);
ssize_t fake_write(int fd, const void *buffer, size_t n, int64_t offset);
int64_t fake_offset(int fd);

/* Somebody else brings a range into the cache. */
void fake_warm(struct fake_file *file, int64_t from, int64_t to);

/* Bytes of a range that have all of `bits` set. */
int64_t fake_bytes(const struct fake_file *file, int bits, int64_t from, int64_t to);

/* From the nth call on (1 = the next), `times` calls give `result`; not below 0: a short one. */
void fake_fault(enum fake_call call, int nth, int times, long result);

/* In the child of fork(2), of vfork(2). */
void fake_fork(void);
void fake_vfork(void);

/* Calls of all kinds, of one advice, and the first step of a kind on a file (-1: none). */
unsigned long fake_all_calls(void);
unsigned long fake_advices(int advice);
int fake_step_of(enum fake_call call, const struct fake_file *file);

/*
 * For fake_sys.c. A call begins by being counted; where it is not done, false or NULL is
 * returned, with what it gives in fake_result. fake_most is the most that it may move.
 */
extern long fake_result;
extern size_t fake_most;
bool fake_begin(enum fake_call call);
struct fake_description *fake_begin_on(enum fake_call call, int fd, int64_t offset, int64_t length,
				       int advice);
struct fake_description *fake_at(int fd);

/* The page cache. */
void pages_reserve(struct fake_file *file, int64_t size);
void pages_bring_in(struct fake_file *file, int64_t from, int64_t to, int bits);
void pages_drop(struct fake_file *file, int64_t from, int64_t to);
void pages_start_io(struct fake_file *file, int64_t from, int64_t to);
void pages_end_io(struct fake_file *file);
void pages_slept(void);
struct fake_description *fake_description(struct fake_file *file, int flags);
int fake_number(struct fake_description *description);
ssize_t fake_move(struct fake_description *description, char *to, const char *from, size_t n,
		  int64_t offset);

#endif
