/* board.h - what a reader and a writer of one file tell each other, in shared memory.
 *
 * Every change of a block has a generation: the writer stores it in `started`, changes the block,
 * and stores it in `published`, with ZERO where the block now holds zeros. So a reader that loads
 * `published`, reads the file and finds an older generation has been given stale bytes; and where
 * `started` says afterwards that nothing newer has begun, exactly that generation must be there.
 * `size_turn` is odd while the file's size changes. */
#ifndef BOARD_H
#define BOARD_H

#include <stdatomic.h>
#include <stdint.h>

enum { BLOCK = 4096, BLOCKS = 4096, SIZE = BLOCK * BLOCKS };

static const uint32_t ZERO = 1u << 31;

struct board {
	_Atomic uint64_t position, progress; /* the reader's offset, and all it has read so far */
	_Atomic uint64_t changes;
	_Atomic uint64_t size, size_turn;
	_Atomic int ready, stop, cannot;
	_Atomic uint32_t started[BLOCKS], published[BLOCKS];
};

/* Word 0 of a block is its generation, and so is its last word. */
enum { LAST_WORD = BLOCK / 4 - 1 };

struct writer {
	struct board *board;
	const char *how;     /* write direct map shrink punch copy clone */
	const char *opening; /* held late again gone */
	int fd, side;        /* side: where copies come from */
	int interleaved;     /* the reader's own thread calls: never wait for it */
	uint32_t *map, *block, generation;
	uint32_t first, span; /* the blocks that a mapping has touched */
	uint64_t random;
};

/* Creates what is needed, and opens the file if it is to be open before the reader opens it. */
void writer_prepare(struct writer *w);

/* Makes one change. */
void writer_step(struct writer *w);

/* Makes changes until the board says stop. */
void writer_run(struct writer *w);

#endif
