/* make_proc.c - makers of children, locks and looks. */
#include "gen.h"

#include <fcntl.h>

void make_child(struct gen *g)
{
	int count = 1 + gen_below(g, 12), slot = gen_slot(g);

	if (gen_chance(g, 15))
		gen_op(g, OP_exec, 0, count, gen_below(g, 9), 0, 0);
	else if (gen_chance(g, 15) && slot >= 0)
		gen_op(g, OP_vfork, slot, 0, 0, 0, 0);
	else
		gen_op(g, OP_fork, 0, count, 0, 0, gen_below(g, 2));
}

/* A lock, another descriptor of the file, and whether the lock is still held. */
static void make_lock_kept(struct gen *g)
{
	int slot = gen_below(g, 3), other = gen_free_slot(g);

	gen_op(g, OP_lock, slot, gen_below(g, 2), 0, 0, F_WRLCK);
	gen_op(g, OP_open, other, slot % 2, gen_chance(g, 50) ? O_RDWR : O_RDONLY, 0,
	       gen_below(g, 2));
	g->open[other] = GEN_OPEN;
	gen_op(g, OP_read, gen_chance(g, 50) ? slot : other, 0, 0, gen_length(g), 0);
	gen_op(g, OP_lockcheck, slot, 0, 0, 0, 0);
}

/* An unaligned direct request on a locked file: served or not, the lock is kept. */
static void make_lock_direct(struct gen *g)
{
	int slot = gen_below(g, 2), other = gen_free_slot(g);

	gen_op(g, OP_lock, slot, gen_below(g, 2), 0, 0, F_WRLCK);
	gen_op(g, OP_open, other, slot, O_RDWR | O_DIRECT, 0, 0);
	gen_op(g, OP_read, other, 0, 0, 0, UNSAID);
	gen_op(g, OP_lockcheck, slot, 0, 0, 0, 0);
	gen_op(g, OP_close, other, 0, 0, 0, 0);
	g->open[other] = GEN_CLOSED;
}

/* A file written and closed, then locked by another descriptor of it; a large mapping goes. */
static void make_lock_after_write(struct gen *g)
{
	int slot = gen_below(g, 2), other = gen_free_slot(g);

	gen_op(g, OP_open, other, slot, O_RDWR, 0, 0);
	gen_op(g, OP_write, other, 0, 0, gen_length(g), 0);
	gen_op(g, OP_close, other, 0, 0, 0, 0);
	gen_op(g, OP_lock, slot, gen_below(g, 2), 0, 0, F_WRLCK);
	gen_op(g, OP_map, slot, 0, 0, 2 << 20, 0);
	gen_op(g, OP_unmap, 0, 0, 0, 0, 0);
	g->open[other] = GEN_CLOSED;
	gen_op(g, OP_lockcheck, slot, 0, 0, 0, 0);
}

void make_lock(struct gen *g)
{
	static const int types[] = {F_RDLCK, F_WRLCK, F_WRLCK, F_UNLCK};

	if (gen_chance(g, 25))
		make_lock_kept(g);
	else if (gen_chance(g, 10))
		make_lock_after_write(g);
	else if (gen_chance(g, 10))
		make_lock_direct(g);
	else if (gen_chance(g, 60))
		gen_op(g, OP_lock, gen_slot(g), gen_below(g, 3), gen_below(g, g->scale),
		       gen_chance(g, 50) ? 0 : gen_length(g), types[gen_below(g, 4)]);
	else
		gen_op(g, OP_lockcheck, gen_slot(g), 0, 0, 0, 0);
}

void make_peek(struct gen *g)
{
	gen_op(g, OP_peek, gen_slot(g), 0, 0, 0, 0);
}
