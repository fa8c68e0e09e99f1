/*
 * units.h - whose the pages near a stream are, and releasing those that are its own.
 *
 * A stream must not drop what was cached before it came (`keep`). The record remembers the last
 * UNITS units of 1 MiB that were asked about; memory is constant whatever the file's size.
 * The caller holds the record.
 */
#ifndef NOCACHE_UNITS_H
#define NOCACHE_UNITS_H

#include "file.h"

enum { FOLIO_MAX = 2 * 1024 * 1024 }; /* largest folio that readahead makes, HPAGE_PMD_ORDER */

/* Forgets all units. */
void units_clear(struct file *file);

/*
 * Asks the kernel whose the units of [from, to) are, before this stream brings them in; units
 * that are known already are not asked again.
 */
void units_learn(struct file *file, int fd, int64_t from, int64_t to);

/* What has gone of [from, to) meanwhile will be this stream's own, whosever it was. */
void units_regain(struct file *file, int fd, int64_t from, int64_t to);

/* Notes that all of [from, to) is this stream's own. */
void units_own(struct file *file, int64_t from, int64_t to);

/*
 * Releases this stream's own clean pages of [from, to) from the page cache. Large folios that
 * reach over an edge stay for the next call (mm/truncate.c, mapping_evict_folio()).
 */
void units_release(struct file *file, int fd, int64_t from, int64_t to);

/*
 * How long to try, in ns, for pages that are not under I/O any more; and for those of a readahead
 * that may still be under way, on a busy disk too.
 */
enum { PATIENCE_SETTLED = 12800000, PATIENCE_READING = 102400000 };

/*
 * Releases whatever is cached of [from, to) and looks whether it is gone; tries again, after naps
 * that double from 0.1 ms up to `patience`, since pages under I/O cannot be dropped. False where
 * some stay.
 */
bool pages_release(enum probe probe, int fd, int64_t from, int64_t to, long patience);

#endif
