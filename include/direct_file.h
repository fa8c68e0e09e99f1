/*
 * direct_file.h - what direct.h keeps of one file.
 *
 * It belongs to who holds it, and outlives the record where a thread closes the descriptor that
 * another one is reading from: whoever holds it then takes it down.
 */
#ifndef NOCACHE_DIRECT_FILE_H
#define NOCACHE_DIRECT_FILE_H

#include "direct.h"
#include "pipeline.h"
#include "twin.h"
#include "usermem.h"

struct statx;

/* A request that is worth direct I/O of its own: smaller ones are faster through the cache. */
enum { DIRECT_LARGE = 512 * 1024 };

struct direct {
	_Atomic uintptr_t state; /* who has it: see direct_file.c */
	struct file *file;
	bool readable; /* by the program's descriptor */
	bool writable;
	int64_t block; /* what direct requests must be multiples of; 0: there are none */
	struct twin reader;
	struct twin writer;
	struct twin plain; /* not O_DIRECT: where the program's own descriptor is */
	bool flowing;      /* the pipeline is there */
	struct pipeline pipeline;
	struct bounce out;  /* what is being written */
	_Atomic bool moved; /* the program may have moved its offset since */
	int64_t next;       /* where its next sequential read starts */
	int64_t run;        /* bytes read in sequence up to there */
	int64_t retry;      /* bytes to read before writers are asked for again */
	bool proven;        /* that direct reads pass the cache by, or do not */
	int64_t proof;      /* offset from which on nothing of it can be in the cache otherwise */
	bool current;       /* what the pipeline holds was true as of `changed` */
	int64_t changed;    /* the file's change time, ns */
	struct usermem buffer; /* where the program lately had its bytes put */
};

/*
 * Takes what is kept of the file, made at the first use. NULL where somebody else has it, or,
 * with the reason noted, where the file cannot have it: then the call is forwarded.
 */
struct direct *direct_hold(struct file *file, int fd);
void direct_release(struct direct *direct);

/*
 * Whether a write goes where it is told to, and needs no more than to arrive: not with O_APPEND,
 * O_DSYNC or the program's own O_DIRECT, nor under a limit of file sizes. The record notes why not.
 */
bool direct_is_plain(struct file *file, int fd);

/*
 * Whether [at, at + n) may be written past the cache: what is cached there would be evicted, and
 * a direct write into mapped pages may hang. The record notes why not.
 */
bool direct_clears(struct file *file, int fd, int64_t at, int64_t n);

/* Whether the twin is there, opened at the first use and confirmed at every one. */
bool direct_can_read(struct direct *direct, int fd);
bool direct_can_write(struct direct *direct, int fd);
bool direct_can_serve(struct direct *direct, int fd, int flags);

/*
 * Whether the pipeline is there, on the twin for reading, and made at the first use for the `left`
 * bytes of the file. It stands nowhere yet: pipeline_start().
 */
bool direct_flows(struct direct *direct, int fd, int64_t left);

#endif
