/* make_data.c - makers of transfers, copies, mappings and long runs. */
#include "gen.h"

#include <fcntl.h>
#include <unistd.h>

static int buffer_bits(struct gen *g)
{
	int bits = 0;

	bits |= gen_chance(g, 12) ? FROM_END : 0;
	bits |= gen_chance(g, 4) ? BUF_EDGE : 0;
	bits |= gen_chance(g, 1) ? BUF_NULL : 0;
	bits |= gen_chance(g, 1) ? BAD_COUNT : 0;
	bits |= gen_chance(g, g->direct ? 75 : 20) ? BUF_ALIGNED : 0;
	return bits;
}

static int rwf(struct gen *g, int writes)
{
	/* RWF_DSYNC waits for the disk: seldom. RWF_APPEND; RWF_DONTCACHE; none of the kernel's. */
	static const int flags[] = {0, 0, 0, 16, 16, 0x80, 0x80, 0x8000};

	if (gen_chance(g, 3))
		return (writes ? 18 : 2) << RWF_SHIFT;
	return (writes ? flags[gen_below(g, 8)] : flags[gen_below(g, 3) + 5]) << RWF_SHIFT;
}

void make_transfer(struct gen *g)
{
	static const enum kind kinds[] = {OP_read, OP_pread, OP_write, OP_pwrite};
	int which = gen_below(g, 4), bits = buffer_bits(g);
	long long length = gen_length(g), offset = gen_offset(g);

	if (bits & FROM_END)
		offset = gen_below(g, 9000) - 6000;
	if (bits & BUF_ALIGNED) {
		length = (length + 4095) & ~4095LL;
		offset &= ~4095LL;
	}
	if (bits & BUF_EDGE && gen_chance(g, 30))
		length = 3LL << 30;
	if (which < 2 && gen_chance(g, 3))
		length = gen_chance(g, 50) ? 9 << 20 : 0x90000000LL;
	if (gen_chance(g, 1))
		length = 1LL << (gen_chance(g, 50) ? 60 : 22);
	gen_op(g, kinds[which], gen_slot(g), gen_below(g, which % 2 ? 7 : 6), offset, length,
	       bits | rwf(g, which > 1));
}

void make_aio(struct gen *g)
{
	gen_op(g, OP_aio, gen_slot(g), gen_below(g, 4), gen_below(g, g->scale), gen_length(g),
	       gen_chance(g, 50) ? BUF_ALIGNED : 0);
}

static int copy_bits(struct gen *g)
{
	return gen_below(g, 4) | (gen_chance(g, 3) ? BAD_FLAGS : 0) |
	       (gen_chance(g, 20) ? BY_NUMBER : 0) | (gen_chance(g, 3) ? BAD_OFFSET : 0);
}

void make_copy(struct gen *g)
{
	static const enum kind kinds[] = {OP_copy, OP_copy, OP_sendfile, OP_splice};
	enum kind kind = kinds[gen_below(g, 4)];
	long long length = gen_length(g);

	if (kind != OP_splice && gen_chance(g, 25))
		length = gen_chance(g, 50) ? 64 << 20 : gen_chance(g, 50) ? 3LL << 30 : -1;
	if (kind == OP_splice && length > 300000)
		length = 300000;
	gen_op6(g, kind, gen_slot(g), gen_slot(g), gen_offset(g), length, copy_bits(g),
		gen_offset(g));
}

void make_map(struct gen *g)
{
	int map = gen_below(g, MAPS);

	switch (gen_below(g, 7)) {
	case 0:
		gen_op(g, OP_map, gen_slot(g), map, gen_chance(g, 70) ? 0 : gen_offset(g) & ~4095LL,
		       gen_chance(g, 50) ? g->scale * 2 : gen_length(g), gen_below(g, 8));
		break;
	case 1:
	case 2:
		gen_op(g, OP_mapread, 0, map, gen_below(g, g->scale), gen_length(g), 0);
		break;
	case 3:
	case 4:
		gen_op(g, OP_mapwrite, 0, map, gen_below(g, g->scale), gen_length(g), 0);
		break;
	case 5:
		gen_op(g, gen_chance(g, 50) ? OP_unmap : OP_msync, 0, map, 0, 0, 0);
		break;
	default:
		gen_op(g, OP_mapread, 0, map, 0, g->scale * 2, 0);
	}
}

/* One call for more than a piece, where it matters how it ends: a bad page, an overlap. */
static void make_large(struct gen *g, int in)
{
	static const enum kind kinds[] = {OP_read, OP_pread, OP_write, OP_pwrite};
	static const int bits[] = {0, 0, BUF_EDGE, BUF_EDGE, BUF_NULL};
	long long length = (5 << 20) + gen_below(g, 100000);

	gen_op(g, OP_lseek, in, SEEK_SET, gen_below(g, 3) * 1000, 0, 0);
	if (gen_chance(g, 15)) {
		gen_op(g, OP_setfl, in, 0, O_APPEND, 0, 0);
		gen_op(g, OP_write, in, 0, 0, length, 0);
	} else if (gen_chance(g, 30)) {
		gen_op6(g, OP_copy, in, in, gen_below(g, 5000), 3 << 20, USE_IN | USE_OUT,
			2000000 + gen_below(g, 2000000));
	} else {
		gen_op(g, kinds[gen_below(g, 4)], in, 0,
		       gen_chance(g, 20) ? -1 : gen_below(g, 3) * 1000, length,
		       bits[gen_below(g, 5)]);
	}
}

/* A stream's, in items that no piece is a multiple of. */
static void make_large_items(struct gen *g, int in)
{
	int size = 1 + gen_below(g, 300);

	gen_op(g, OP_fread, in, gen_below(g, 3), size, (5 << 20) / size, 0);
	gen_op(g, OP_fseek, in, SEEK_SET, 0, 0, 0);
}

/* A file written from end to end in equal pieces, then read so, or copied. */
void make_run(struct gen *g)
{
	static const int pieces[] = {512, 1000, 4096, 64000, 131072, 1 << 20, 9 << 20};
	int piece = pieces[gen_below(g, 7)], in = gen_free_slot(g), out;
	int streams = gen_chance(g, 30);
	long long total = gen_chance(g, 6) ? 64 << 20 : (1 << 20) + gen_below(g, 5 << 20);
	long long count = piece < 4096 && total > 8 << 20 ? (8 << 20) / piece : total / piece + 1;
	int file = gen_below(g, FILES);

	if (g->direct && !streams && piece < 64000)
		count = 1 + gen_below(g, 100);
	if (streams)
		gen_op6(g, OP_fopen, in, file, 3, 0, 0, 0);
	else
		gen_op(g, OP_open, in, file, O_RDWR | O_CREAT | (g->direct ? O_DIRECT : 0), 0644,
		       0);
	g->open[in] = streams ? GEN_STREAM : GEN_OPEN;
	gen_op(g, streams ? OP_runfwrite : OP_runwrite, in, count, 0, piece,
	       piece % 512 ? 0 : BUF_ALIGNED);
	if (gen_chance(g, 30))
		gen_op(g, OP_write, in, 0, 0, gen_below(g, 5000), 0);
	if (streams)
		gen_op(g, OP_fseek, in, SEEK_SET, 0, 0, 0);
	else
		gen_op(g, OP_lseek, in, SEEK_SET, gen_chance(g, 80) ? 0 : gen_below(g, 9000), 0, 0);
	if (gen_chance(g, 50) && streams)
		make_large_items(g, in);
	else if (gen_chance(g, 40))
		make_large(g, in);
	if (gen_chance(g, 50)) {
		gen_op(g, streams ? OP_runfread : OP_runread, in, count + 2, 0,
		       pieces[gen_below(g, 7)], BUF_ALIGNED);
		return;
	}
	out = gen_free_slot(g);
	g->open[out] = GEN_OPEN;
	gen_op(g, OP_open, out, gen_below(g, FILES), O_RDWR | O_CREAT | O_TRUNC, 0644, 0);
	gen_op6(g, OP_runcopy, in, out, gen_below(g, 2), pieces[3 + gen_below(g, 4)], count + 2, 0);
	gen_op(g, OP_peek, out, 0, 0, 0, 0);
}
