/* make_stream.c - makers of operations on streams. */
#include "gen.h"

#include <unistd.h>

void make_stream_open(struct gen *g)
{
	static const int sizes[] = {0, 1, 100, 4096, 5000, 65536};
	int slot = gen_free_slot(g), mode = gen_chance(g, 50) ? 3 : gen_below(g, 10);
	int kind = gen_below(g, 4), size = kind == 1 ? 0 : sizes[gen_below(g, 6)];

	if (gen_chance(g, 30)) {
		gen_op6(g, OP_fdopen, gen_slot(g), 0, mode, kind, size, 0);
		return;
	}
	gen_op6(g, gen_chance(g, 10) ? OP_freopen : OP_fopen, slot, gen_file(g), mode, kind, size,
		gen_below(g, 2));
	g->open[slot] = GEN_STREAM;
}

void make_stream(struct gen *g)
{
	static const enum kind kinds[] = {OP_fread,  OP_fread,  OP_fgets, OP_getline, OP_getc,
					  OP_fwrite, OP_fwrite, OP_fputs, OP_fprintf, OP_fputc};
	enum kind kind = kinds[gen_below(g, 10)];
	int size = gen_chance(g, 60) ? 1 : gen_below(g, 300), slot = gen_stream(g);
	long long length = gen_length(g);

	if (gen_chance(g, 5)) {
		gen_op(g, gen_chance(g, 50) ? OP_dprintf : OP_memstream, gen_slot(g), 0, 0,
		       gen_below(g, 200), 0);
		return;
	}
	if (gen_chance(g, 20))
		gen_op(g, OP_fseek, slot, SEEK_END, -gen_below(g, 3000), 0, 0);

	if (kind != OP_fread && kind != OP_fwrite && length > 5000)
		length = gen_below(g, 5000);
	gen_op(g, kind, slot, gen_chance(g, 50) ? 0 : gen_below(g, 3), size,
	       size > 1 ? length / size : length, 0);
}

void make_stream_move(struct gen *g)
{
	int slot = gen_stream(g), whence = gen_below(g, 3);

	switch (gen_below(g, 5)) {
	case 0:
		gen_op(g, OP_ftell, slot, 0, 0, 0, gen_below(g, 2));
		break;
	case 1:
		gen_op(g, OP_fflush, slot, 0, 0, 0, gen_chance(g, 20));
		break;
	case 2:
		gen_op(g, OP_ungetc, slot, 0, 0, gen_below(g, 256), 0);
		break;
	default:
		gen_op(g, OP_fseek, slot, whence,
		       whence == SEEK_SET ? gen_offset(g) : gen_below(g, 8000) - 5000, 0,
		       gen_below(g, 3));
	}
}
