/*
 * mappings.h - giving up the pages of files that this process has mapped, at its end.
 *
 * A page that is mapped cannot be dropped from the page cache (mm/truncate.c,
 * mapping_evict_folio()), and when a program ends with its mappings in place, nobody is left to
 * drop it.
 */
#ifndef NOCACHE_MAPPINGS_H
#define NOCACHE_MAPPINGS_H

#include <stdbool.h>

struct statx;

/*
 * Drops from the page cache what the process has mapped of the files for which may() says so: the
 * clean pages that no other process maps, by madvise(2), MADV_PAGEOUT (Linux 5.4). A page that is
 * touched again comes back. Only files that have a name, and that the user owns or may write; not
 * by private mappings that are writable, for what was changed there is the program's own memory.
 */
void mappings_give_up(bool (*may)(const struct statx *st, void *data), void *data);

#endif
