/*
 * settle.h - written files that were closed before their pages could be released.
 *
 * A program must not wait at close for a small file to reach the disk. Such files are remembered
 * by name, device and inode; nothing is held open. Once a few MiB have gathered they are opened
 * again for reading, checked to be the same file, and their write-out is started; a batch later,
 * or at exit, it is waited for and the pages are released.
 */
#ifndef NOCACHE_SETTLE_H
#define NOCACHE_SETTLE_H

#include "file.h"

#include <stdbool.h>

/*
 * Remembers the file behind `fd`, of which `written` bytes were written; its pages below
 * file->old_size stay where they were cached before. False where it cannot be remembered.
 */
bool settle_later(const struct file *file, int fd, uint64_t written);

/*
 * Takes the file from the list: it is open again, and has `bytes` more to settle. Returns below
 * which offset its pages were to stay, 0 where all were to go; -1 where it was not there.
 */
int64_t settle_claim(uint64_t dev, uint64_t ino, uint64_t *bytes);

/* A file now has this name (rename(2)); `dir` as in openat(2). */
void settle_renamed(int dir, const char *path);

/* Where enough has gathered: starts the new part of the list and finishes the old one. */
void settle_some(void);

/* Settles everything on the list, but for what is still mapped. */
void settle_all(void);

/* The program ends, and its mappings with it: settles everything. */
void settle_at_end(void);

/* Empties the list: it is that of the parent process. */
void settle_forget(void);

/*
 * The process uses POSIX record locks on files that have no record. Closing any descriptor of a
 * locked file would release them (fcntl(2)): from now on no file is opened again. A file that
 * has a record is not opened again anyway.
 */
void settle_refrain(void);
bool settle_refrains(void);

#endif
