/*
 * fake_program.h - a program on the fake kernel whose calls go past the engine as those of the
 * wrappers do (shim/wrap/transfer.c, descriptor.c): the engine, then the kernel.
 */
#ifndef NOCACHE_FAKE_PROGRAM_H
#define NOCACHE_FAKE_PROGRAM_H

#include "engine.h"
#include "fake_sys.h"

/* The rule under which the program runs; NULL for the default. `log`: where records go. */
void program_begin(const char *rules, const char *log);

int program_open(struct fake_file *file, int flags);
int program_dup(int fd);
void program_close(int fd);

/* At `offset`, or at the description's own where it is -1. The bytes go nowhere. */
ssize_t program_read(int fd, size_t n, int64_t offset);
ssize_t program_write(int fd, size_t n, int64_t offset);

/* The same with bytes. Where a call fails, its -errno. */
ssize_t program_read_into(int fd, void *to, size_t n, int64_t offset);
ssize_t program_write_from(int fd, const void *from, size_t n, int64_t offset);

/* lseek(2) to an offset from the start. */
void program_seek(int fd, int64_t offset);

/*
 * A file on a disk with direct I/O, that was changed long ago; and a program under a rule of
 * policy `direct` that has it open.
 */
struct fake_file *program_disk_file(const char *path, int64_t size);
int program_open_direct(struct fake_file *file, int flags);

/* A counter of the descriptor's record; bytes of it that went past the cache. */
int64_t program_count(int fd, enum counter counter);
int64_t program_direct(int fd);

/* Reads from `from` to `to`, or writes, by blocks of `n`. */
void program_read_all(int fd, size_t n, int64_t from, int64_t to);
void program_write_all(int fd, size_t n, int64_t from, int64_t to);

/* Opens the file, reads all of it by blocks of `n`, closes it. */
void program_read_file(struct fake_file *file, size_t n);

/* Why the file of a descriptor is not treated as asked. */
enum reason program_reason(int fd);

/* Own pages of the file were cached, never more than `bound` bytes of them, and now none is. */
void program_expect_bounded(const struct fake_file *file, int64_t bound);

/* The bytes of a log that the shim wrote. */
const char *program_log(const char *path);

#endif
