/* writeback.h - getting a stream's dirty pages written without losing the program's errors. */
#ifndef NOCACHE_WRITEBACK_H
#define NOCACHE_WRITEBACK_H

#include "file.h"

/*
 * Waits until nothing of [from, to) is dirty or in write-out. The wait is by cachestat(2), since
 * sync_file_range(2) and fsync(2) would take a write error away from the program's own fsync;
 * where cachestat cannot be asked, the error is kept in the record for writeback_error().
 * Gives up after a while on file systems that do not write out: the record turns stubborn.
 */
void writeback_wait(struct file *file, int fd, int64_t from, int64_t to);

/*
 * Whether this process may start write-out, and may cut a write into pieces. Not under a limit of
 * file sizes (RLIMIT_FSIZE): the loop driver of Linux 6.18 writes to its backing file in the
 * context of who asks, beyond the limit fails (EFBIG), and the bytes are lost. Nor may dirty pages
 * be advised away then, which starts their write-out too (mm/fadvise.c).
 */
bool writeback_allowed(void);

/* The error (-errno) that a wait took and the program has not seen, once; else 0. */
int writeback_error(struct file *file);

#endif
