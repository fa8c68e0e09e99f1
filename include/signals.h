/*
 * signals.h - signals wait while a call of the program is carried out in several steps.
 *
 * The kernel lets no handler run in the middle of a call on a file. One that ran between two steps
 * of ours and left by siglongjmp(3) would leave a hole behind, or a twin that is held for ever
 * (tests/adversity/jump.c). So whoever has begun blocks signals (sys_block_signals()) until all is
 * done. But the kernel breaks such a call off when it is sent what ends the process without a core
 * dump (kernel/signal.c, complete_signal(); fatal_signal_pending() in mm/filemap.c): Ctrl-C does
 * not wait for a gigabyte.
 */
#ifndef NOCACHE_SIGNALS_H
#define NOCACHE_SIGNALS_H

#include <stdint.h>

/*
 * To be called between steps, where the process may end: lets in what ends it. Returns otherwise,
 * also where a debugger takes the signal. `before`: the program's own mask.
 */
void signals_let_end(const uint64_t *before);

#endif
