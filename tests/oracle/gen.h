/* gen.h - the state of the generator, shared with the file of themes. */
#ifndef GEN_H
#define GEN_H

#include "oracle.h"

enum { GEN_CLOSED, GEN_OPEN, GEN_STREAM };

struct gen {
	struct list *list;
	unsigned long long state;
	const struct theme *theme;
	long long scale;  /* files of a scene reach about this many bytes */
	int direct;       /* opens of this scene may ask for O_DIRECT */
	int limited;      /* RLIMIT_FSIZE is set */
	char open[SLOTS]; /* what is thought to be there; the truth may differ */
};

/* A number in 0 .. LIMIT - 1; true in PERCENT of the cases. */
long long gen_below(struct gen *g, long long limit);
int gen_chance(struct gen *g, int percent);

/* Adds an operation, its last number drawn or given. */
void gen_op(struct gen *g, enum kind kind, long long a, long long b, long long c, long long d,
	    long long e);
void gen_op6(struct gen *g, enum kind kind, long long a, long long b, long long c, long long d,
	     long long e, long long f);

/* Likely an open descriptor's slot, a stream's, a closed one; a file; a length; an offset. */
int gen_slot(struct gen *g);
int gen_stream(struct gen *g);
int gen_free_slot(struct gen *g);
int gen_file(struct gen *g);
long long gen_length(struct gen *g);
long long gen_offset(struct gen *g);

/* make_*.c: each adds an operation of its family, or the few that belong together. */
void make_open(struct gen *g);
void make_mkstemp(struct gen *g);
void make_close(struct gen *g);
void make_dup(struct gen *g);
void make_transfer(struct gen *g);
void make_aio(struct gen *g);
void make_seek(struct gen *g);
void make_size(struct gen *g);
void make_sync(struct gen *g);
void make_name(struct gen *g);
void make_limit(struct gen *g);
void make_copy(struct gen *g);
void make_map(struct gen *g);
void make_stream_open(struct gen *g);
void make_stream(struct gen *g);
void make_stream_move(struct gen *g);
void make_run(struct gen *g);
void make_child(struct gen *g);
void make_lock(struct gen *g);
void make_peek(struct gen *g);

/* themes.c: draws the scene's theme; adds what comes next in it. */
void theme_choose(struct gen *g);
void theme_step(struct gen *g);

#endif
