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
#include <sys/uio.h>

/* Not in musl's headers. */
#ifndef RWF_APPEND
#define RWF_APPEND 0x10
#endif
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x08
#endif

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
	CALL_release,
	CALL_geteuid,
	CALL_may_write,
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
	CALL_truncate,
	CALL_cachestat,
	CALL_map,
	CALL_map_file,
	CALL_unmap,
	CALL_mincore,
	CALL_madvise,
	CALL_peek,
	CALL_direct_block,
	CALL_lease,
	CALL_lease_signal,
	CALL_lock_on,
	CALL_signal,
	CALL_aio_setup,
	CALL_aio_submit,
	CALL_aio_wait,
	CALL_aio_read, /* not a call: a request that comes to its end */
	CALLS
};

/* The state of a page. THEIRS: somebody else brought it in; DROPS: it goes once it is written. */
enum { CACHED = 1, DIRTY = 2, UNDER_IO = 4, MAPPED = 8, THEIRS = 16, DROPS = 32 };

/* What a file system does with RWF_DONTCACHE. */
enum fake_dontcache { OBEYS, REFUSES, IGNORES };

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
	enum fake_dontcache dontcache;
	int64_t uncached; /* bytes moved with RWF_DONTCACHE */

	int64_t changed;          /* its change time, by the clock's last tick */
	int64_t direct_block;     /* of its direct I/O; 0: statx(2) tells of none */
	bool refuses_direct;      /* an open with O_DIRECT is refused */
	int writing_maps;         /* writable shared mappings of somebody's */
	bool map_stamped;         /* a store through one moved the change time: the next does not */
	int64_t bad_from, bad_to; /* the device cannot read these */
	int64_t full_at;          /* nothing can be written from there on; 0: no end */
	int64_t evicted;          /* bytes of others that direct writes took out of the cache */
	int leased;               /* by this descriptor */
	int lease_waiter;         /* open flags of who waits for the lease; 0 for nobody */
	unsigned char *holes;     /* one a page */
};

struct fake_description {
	struct fake_file *file;
	int64_t offset, next; /* next: where a sequential read would begin */
	int flags, refs;
	int lease_signal;
	bool random, hidden; /* hidden: opened by the shim */
};

struct fake_step {
	enum fake_call call;
	const struct fake_file *file;
	int64_t offset, length;
	int advice;
};

/* Numbers from FAKE_HIGH on are for who asks for a high one. */
enum { FAKE_HIGH = 120, FAKE_FDS = 200, FAKE_FILES = 200, FAKE_STEPS = 8192 };

extern struct fake {
	unsigned long calls[CALLS];
	struct fake_step step[FAKE_STEPS];
	int steps;
	long pid, ppid, euid;
	bool may_write; /* what the effective user may do to files that are not its own */
	const char *release;
	uint64_t file_limit;
	uint64_t address_limit; /* 0: none */
	int64_t wall, steady;
	int64_t readahead;
	int64_t maps; /* that are there now */
	int hidden;   /* descriptors that the shim holds */
	int files;
	struct fake_file file[FAKE_FILES];
	struct fake_description *fd[FAKE_FDS];
	void (*before)(enum fake_call call); /* called before each call is done */
	/* Whether a call, on this description or NULL, gives *result: as with fake_fault(). */
	bool (*fails)(enum fake_call call, const struct fake_description *on, long *result);
	/* The most bytes, or -errno, of a direct transfer of `n`. */
	long (*direct_flaw)(size_t n);
	const char *bad_memory; /* PAGE bytes that nobody can read or write */
	bool aio_late;          /* requests take their bytes at their end, not at their start */
	bool aio_in_order;      /* they end in the order they began; else the last comes first */
	unsigned long signals;  /* delivered to handlers of the program */
	int deadly;             /* a signal that it has no handler for */
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

void fake_truncate(struct fake_file *file, int64_t size);

/* A place in the file without data. */
void fake_hole(struct fake_file *file, int64_t from, int64_t to);
bool fake_is_hole(const struct fake_file *file, int64_t at);

/* Somebody else has a writable mapping of the file from now on, stores a byte, unmaps. */
void fake_map_for_writing(struct fake_file *file);
void fake_store_through(struct fake_file *file, int64_t at, unsigned char byte);
void fake_unmap_for_writing(struct fake_file *file);

/* Somebody else opens the file for writing: waits where there is a lease, which is broken. */
void fake_open_elsewhere(struct fake_file *file);

/*
 * All of the file is cached, and mapped by the program; another line of /proc/self/maps. For
 * fake_process.c: what is mapped there is paged out.
 */
void fake_map(struct fake_file *file, const char *permissions);
void fake_maps_line(const char *line);
void fake_page_out(const void *address);

/* A signal of the program's own comes to this thread; whether it is there to be taken. */
void fake_send_signal(int signal);
bool fake_signal_pends(void);

/* A page that can be neither read nor written, behind `n` bytes that can be. */
char *fake_memory(size_t n);

/* Time goes by: ticks of the kernel's clock are FAKE_TICK apart. */
enum { FAKE_TICK = 4000000 };

/* Somebody else brings a range into the cache. */
void fake_warm(struct fake_file *file, int64_t from, int64_t to);

/* Bytes of a range that have all of `bits` set. */
int64_t fake_bytes(const struct fake_file *file, int bits, int64_t from, int64_t to);

/* From the nth call on (1 = the next), `times` calls give `result`; not below 0: a short one. */
void fake_fault(enum fake_call call, int nth, int times, long result);
void fake_forget_faults(void);

/* In the child of fork(2), of vfork(2). Memory that is kept from children is not there. */
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
bool fake_is_written(const struct fake_file *file);
void fake_stamp(struct fake_file *file);
bool fake_flies_into(const char *memory, size_t n);
void fake_end_lease(struct fake_file *file);

/* The page cache. */
void pages_reserve(struct fake_file *file, int64_t size);
void pages_bring_in(struct fake_file *file, int64_t from, int64_t to, int bits);
void pages_evict(struct fake_file *file, int64_t from, int64_t to);
void pages_fill(struct fake_file *file, int64_t from, int64_t to);
void pages_drop(struct fake_file *file, int64_t from, int64_t to);
void pages_start_io(struct fake_file *file, int64_t from, int64_t to);
void pages_end_io(struct fake_file *file);
void pages_slept(void);
void pages_drop_new(struct fake_file *file, int64_t from, int64_t to, const unsigned char *old);
struct fake_description *fake_description(struct fake_file *file, int flags);
int fake_number(struct fake_description *description, int least);
ssize_t fake_move(struct fake_description *description, char *to, const char *from, size_t n,
		  int64_t offset);

#endif
