/* make_file.c - makers of operations on descriptors, positions, sizes and names. */
#include "gen.h"

#include <fcntl.h>
#include <unistd.h>

void make_open(struct gen *g)
{
	static const int access[] = {O_RDWR, O_RDWR, O_RDWR, O_WRONLY, O_RDONLY};
	int slot = gen_free_slot(g), flags = access[gen_below(g, 5)], file = gen_file(g);

	flags |= gen_chance(g, 75) ? O_CREAT : 0;
	flags |= gen_chance(g, 6) ? O_EXCL : 0;
	flags |= gen_chance(g, 12) ? O_TRUNC : 0;
	flags |= gen_chance(g, 15) ? O_APPEND : 0;
	flags |= gen_chance(g, 1) ? O_DSYNC : 0;
	flags |= gen_chance(g, 10) ? O_CLOEXEC : 0;
	flags |= gen_chance(g, 5) ? O_NOFOLLOW | O_NOCTTY : 0;
	flags |= g->direct && gen_chance(g, 50) ? O_DIRECT : 0;
	if (gen_chance(g, 3)) {
		file = FILE_DIRECTORY;
		flags = (flags & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_TMPFILE;
	}
	gen_op(g, OP_open, slot, file, flags, gen_chance(g, 70) ? 0644 : gen_below(g, 01000),
	       gen_below(g, 9));
	g->open[slot] = GEN_OPEN;
}

void make_mkstemp(struct gen *g)
{
	int slot = gen_free_slot(g);

	gen_op(g, OP_mkstemp, slot, gen_below(g, FILES), 0, 0, gen_below(g, 3));
	g->open[slot] = GEN_OPEN;
}

void make_close(struct gen *g)
{
	int slot = gen_slot(g);

	if (gen_chance(g, 10)) {
		gen_op(g, OP_closerange, slot, gen_chance(g, 15) ? -1 : gen_below(g, 3),
		       gen_below(g, 2), 0, gen_chance(g, 30) ? 4 : 0);
		return;
	}
	gen_op(g, OP_close, slot, gen_chance(g, 20), 0, 0, 0);
	if (slot >= 0)
		g->open[slot] = GEN_CLOSED;
}

void make_dup(struct gen *g)
{
	int from = gen_slot(g), to = gen_free_slot(g);

	if (gen_chance(g, 50)) {
		gen_op(g, OP_dup, from, to, gen_chance(g, 90) ? gen_below(g, 60) : -1, 0,
		       gen_below(g, 4));
		g->open[to] = GEN_OPEN;
		return;
	}
	if (gen_chance(g, 8))
		from = SLOT_CLOSED;
	if (gen_chance(g, 50))
		to = gen_chance(g, 50) && from >= 0 ? from : gen_below(g, SLOTS);
	gen_op(g, OP_dup2, from, to, gen_chance(g, 40) ? 20 + gen_below(g, 980) : 0, 0,
	       gen_below(g, 4));
	g->open[to] = g->open[to] == GEN_STREAM ? GEN_STREAM : GEN_OPEN;
}

void make_seek(struct gen *g)
{
	int whence = gen_below(g, gen_chance(g, 80) ? 3 : 7);
	long long offset = whence == SEEK_SET ? gen_offset(g) : gen_below(g, 10000) - 5000;

	if (gen_chance(g, 30))
		offset = 0;
	gen_op(g, OP_lseek, gen_slot(g), whence, offset, 0, gen_below(g, 2));
}

void make_size(struct gen *g)
{
	static const int modes[] = {0, 1, 3, 3, 16, 8, -1, -1};

	switch (gen_below(g, 4)) {
	case 0:
		gen_op(g, OP_truncate, 0, gen_file(g), gen_offset(g), 0, gen_below(g, 2));
		break;
	case 1:
		gen_op(g, OP_fallocate, gen_slot(g), modes[gen_below(g, 8)], gen_offset(g),
		       gen_length(g), 0);
		break;
	default:
		gen_op(g, OP_ftruncate, gen_slot(g), 0, gen_offset(g), 0, gen_below(g, 2));
	}
}

void make_sync(struct gen *g)
{
	if (gen_chance(g, 5))
		gen_op(g, OP_sync, gen_slot(g), gen_below(g, 2), 0, 0, 0);
	else if (gen_chance(g, 20))
		gen_op(g, OP_sync, gen_slot(g), 2, gen_offset(g), gen_length(g), gen_below(g, 9));
	else
		gen_op(g, OP_advise, gen_slot(g), gen_below(g, 8) - 1, gen_offset(g), gen_length(g),
		       gen_below(g, 2));
}

void make_name(struct gen *g)
{
	int a = gen_below(g, FILES), b = gen_below(g, FILES);

	if (gen_chance(g, 40))
		gen_op(g, OP_fstat, gen_slot(g), gen_below(g, FILES), 0, 0, gen_below(g, 2));
	else if (gen_chance(g, 40))
		gen_op(g, OP_rename, a, b, 0, 0, 0);
	else
		gen_op(g, gen_chance(g, 50) ? OP_link : OP_unlink, a, b, 0, 0, 0);
}

void make_limit(struct gen *g)
{
	static const int appends[] = {O_APPEND, 0, O_NONBLOCK, O_DIRECT};

	if (gen_chance(g, 60)) {
		gen_op(g, OP_setfl, gen_slot(g), 0, appends[gen_below(g, g->direct ? 4 : 3)], 0, 0);
		return;
	}
	g->limited = !g->limited;
	gen_op(g, OP_rlimit, 0, 0, g->limited ? gen_below(g, g->scale * 2) : -1, 0, 0);
}
