/*
 * fsinfo.h - what kind of file system a device number stands for.
 *
 * Facts are asked once a device and remembered; lock-free and callable from signal handlers.
 */
#ifndef NOCACHE_FSINFO_H
#define NOCACHE_FSINFO_H

#include <stdbool.h>
#include <stdint.h>

struct fsinfo {
	bool kernel;          /* files made up by the kernel, as in /proc and /sys */
	bool storage;         /* pages are a copy of something slower and can be dropped */
	bool cachestat_blind; /* cachestat(2) answers 0 whatever is cached (overlayfs) */
	bool direct_by_page;  /* direct I/O by pages, although statx(2) does not tell (btrfs) */
	bool tells_changes;   /* every change, through a mapping too, moves the change time */
};

/* What was seen of RWF_DONTCACHE on a device. */
enum fsinfo_dontcache { FSINFO_UNTRIED, FSINFO_REFUSES, FSINFO_IGNORES, FSINFO_OBEYS };

enum fsinfo_dontcache fsinfo_dontcache(int fd, uint64_t dev);
void fsinfo_learn_dontcache(int fd, uint64_t dev, enum fsinfo_dontcache seen);

/* The facts for an open descriptor on device `dev`. */
struct fsinfo fsinfo_of(int fd, uint64_t dev);

/*
 * Its name as in /proc/filesystems. Where statfs(2) cannot tell relatives apart (ext2, ext3 and
 * ext4; the FUSE servers) /proc/self/mountinfo is read, once a device.
 */
const char *fsinfo_name(int fd, uint64_t dev);

#endif
