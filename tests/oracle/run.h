/*
 * run.h - what the executors share: the slots, the buffers and the trace.
 *
 * An executor do_NAME(op) makes the libc call under test and says what came of it. Whatever it
 * looks at besides is looked at by raw.h, so that the library under test has no part in it.
 */
#ifndef RUN_H
#define RUN_H

#include "oracle.h"
#include "raw.h"

/* errno before each call: a call that succeeds must leave it alone. */
enum { QUIET = 7777 };

struct slot {
	int fd; /* -1: closed */
	FILE *fp;
	int description; /* shared by dup */
	int writing;     /* the stream's last direction: 1 write, -1 read, 0 none */
};

/*
 * Some policies let a program that asked for O_DIRECT make requests of any alignment. They are
 * measured against a program that does not ask but is told that it has it.
 */
enum direct_is { DIRECT_STRICT, DIRECT_LENIENT, DIRECT_FAKED };

extern struct slot slots[SLOTS];
extern char *work_dir; /* absolute */
extern enum direct_is direct_is;
extern int say_holes;
extern int say_seldom; /* look at a descriptor only now and then, when bytes are settled */
extern enum child { NO_CHILD, FORKED, EXECED } in_child;

#define OP(name) void do_##name(const struct op *op);
#include "ops.def"
#undef OP

/* trace.c: a library that keeps bytes back gives them up before we look behind its back. */
void settle(void);

/* slots.c */
int fd_of(long long slot);
struct slot *slot_of(long long slot);
void slot_set(struct slot *slot, int fd, int direct);
void slot_share(struct slot *slot, int fd, const struct slot *with);
int asked_direct(const struct slot *slot); /* a closed or no slot: 0 */
extern int size_limited;                   /* RLIMIT_FSIZE is set */
extern int locks_used;                     /* this process has taken a record lock */
int direct_promised(long long slot);       /* more than the kernel gives, but not by every call */
void ask_direct(const struct slot *slot, int direct);
int honest_flags(int flags);
const char *file_path(long long file, int absolute);
long long file_size(int fd);
void close_slot(struct slot *slot);

/* trace.c: the trace is a shared mapping, so it outlives a crash and children add to it. */
void trace_open(const char *path, size_t room, int fresh);
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);
void say_result(long long ret);          /* and errno as it is at the call */
void say_descriptor(int fd, int direct); /* number, offset, size, mode, flags */
void say_slot(long long slot);
void say_contents(int fd); /* size and sum of a file, read through fd */
void say_files(void);      /* the same of every file, by name */
void quiet(void);          /* errno = QUIET, for the second call of an operation */
void watch_signals(void);

/* buf.c */
enum { EDGE = (4 << 20) + (64 << 10) };
void buf_open(void);
unsigned long long buf_sum(const void *data, size_t len);
/* Bytes to write, read-only memory; the same for the same seed. */
char *buf_out(const struct op *op, size_t len);
/* Where to read to: canaries all over. */
char *buf_in(const struct op *op);
/*
 * Says the sum of what was read and how many bytes outside it were touched; restores canaries.
 * A program that reads with O_DIRECT has the last block's end scribbled over by the kernel.
 */
void say_read(char *buf, long long got, size_t len, int direct);

/* ops.c */
void run(size_t from, size_t to);
void run_skip(size_t count);
size_t run_next(void);
size_t run_end(void);
/* Always as many: for the calls that take a list. */
enum { EXEC_ARGUMENTS = 24 };
char *const *exec_arguments(size_t from, size_t to);

/*
 * serve.c: for each byte that comes in on descriptor 0, returns in a new child, whose messages go
 * to a file, and answers with its process number and, when it has ended, its wait status: two ints.
 */
void serve(const char *messages);

/* map.c */
void unmap_all(void);

/* proc.c: whether a record lock, but one of the descriptor's own description, is on the file. */
int locked_by_others(int fd);

#endif
