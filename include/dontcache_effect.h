/* dontcache_effect.h - whether RWF_DONTCACHE had its effect: not all that accept it obey it. */
#ifndef NOCACHE_DONTCACHE_EFFECT_H
#define NOCACHE_DONTCACHE_EFFECT_H

#include "file.h"

/*
 * `moved` bytes were moved with the flag from `offset` on, or (-1) at the description's own. Of a
 * stream of reads the first is looked for at once, since its pages go before the call returns; of
 * one of writes when it has had time to get to the disk. Where pages stay, the file is given up.
 */
void dontcache_look_after_read(struct file *file, int fd, int64_t offset, int64_t moved);
void dontcache_look_after_write(struct file *file, int fd, int64_t offset, int64_t moved);

/* No transfer of the file has the flag from now on. */
void dontcache_give_up(struct file *file, enum reason reason);

#endif
