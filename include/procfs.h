/* procfs.h - single figures out of /proc and /sys text files (proc(5)). */
#ifndef NOCACHE_PROCFS_H
#define NOCACHE_PROCFS_H

#include <stdbool.h>
#include <stdint.h>

/* The number behind the word `key` at the start of a line of the file, or -1. */
int64_t procfs_number(const char *path, const char *key);

/* Whether the file has the word anywhere in its first few KiB, or -errno. */
int procfs_says(const char *path, const char *word);

/* The number that the file starts with, or -1. */
int64_t procfs_first_number(const char *path);

/*
 * Bytes of memory that this process may use: physical memory or the memory cgroup's limit as
 * seen from the cgroup namespace, whichever is less.
 */
uint64_t procfs_memory(void);

#endif
