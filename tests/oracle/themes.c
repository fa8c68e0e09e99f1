/* themes.c - which operations a scene is made of, and with which numbers. */
#include "gen.h"

#include <fcntl.h>
#include <unistd.h>

/* Weights by maker; a theme's row stands under the names below. */
struct theme {
	int likely;
	unsigned char weight[16];
};

static void make_open(struct gen *g)
{
	static const int access[] = { O_RDWR, O_RDWR, O_RDWR, O_WRONLY, O_RDONLY };
	int slot = gen_free_slot(g), flags = access[gen_below(g, 5)];

	flags |= gen_chance(g, 75) ? O_CREAT : 0;
	flags |= gen_chance(g, 6) ? O_EXCL : 0;
	flags |= gen_chance(g, 12) ? O_TRUNC : 0;
	flags |= gen_chance(g, 15) ? O_APPEND : 0;
	flags |= gen_chance(g, 1) ? O_DSYNC : 0;
	flags |= gen_chance(g, 10) ? O_CLOEXEC : 0;
	flags |= gen_chance(g, 5) ? O_NOFOLLOW | O_NOCTTY : 0;
	flags |= g->direct && gen_chance(g, 50) ? O_DIRECT : 0;
	gen_op(g, OP_open, slot, gen_file(g), flags, gen_chance(g, 70) ? 0644 : gen_below(g, 01000),
	       gen_below(g, 8));
	g->open[slot] = GEN_OPEN;
}

static void make_mkstemp(struct gen *g)
{
	int slot = gen_free_slot(g);

	gen_op(g, OP_mkstemp, slot, gen_below(g, FILES), 0, 0, gen_below(g, 3));
	g->open[slot] = GEN_OPEN;
}

static void make_close(struct gen *g)
{
	int slot = gen_slot(g);

	if (gen_chance(g, 10)) {
		gen_op(g, OP_closerange, slot, gen_chance(g, 15) ? -1 : gen_below(g, 3), 0, 0,
		       gen_chance(g, 30) ? 4 : 0);
		return;
	}
	gen_op(g, OP_close, slot, 0, 0, 0, 0);
	if (slot >= 0)
		g->open[slot] = GEN_CLOSED;
}

static void make_dup(struct gen *g)
{
	int from = gen_slot(g), to = gen_free_slot(g);

	if (gen_chance(g, 50)) {
		gen_op(g, OP_dup, from, to, gen_chance(g, 90) ? gen_below(g, 60) : -1, 0,
		       gen_below(g, 3));
		g->open[to] = GEN_OPEN;
		return;
	}
	if (gen_chance(g, 50))
		to = gen_below(g, SLOTS);
	gen_op(g, OP_dup2, from, to, gen_chance(g, 40) ? 20 + gen_below(g, 980) : 0, 0,
	       gen_below(g, 3));
	g->open[to] = g->open[to] == GEN_STREAM ? GEN_STREAM : GEN_OPEN;
}

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
	static const int flags[] = { 0, 0, 0, 16, 16, 0x80, 0x80, 0x8000 };

	if (gen_chance(g, 3))
		return (writes ? 18 : 2) << RWF_SHIFT;
	return (writes ? flags[gen_below(g, 8)] : flags[gen_below(g, 3) + 5]) << RWF_SHIFT;
}

static void make_transfer(struct gen *g)
{
	static const enum kind kinds[] = { OP_read, OP_pread, OP_write, OP_pwrite };
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
	gen_op(g, kinds[which], gen_slot(g), gen_below(g, which % 2 ? 6 : 4), offset, length,
	       bits | rwf(g, which > 1));
}

static void make_aio(struct gen *g)
{
	gen_op(g, OP_aio, gen_slot(g), gen_below(g, 2), gen_below(g, g->scale), gen_length(g),
	       gen_chance(g, 50) ? BUF_ALIGNED : 0);
}

static void make_seek(struct gen *g)
{
	int whence = gen_below(g, gen_chance(g, 80) ? 3 : 7);
	long long offset = whence == SEEK_SET ? gen_offset(g) : gen_below(g, 10000) - 5000;

	if (gen_chance(g, 30))
		offset = 0;
	gen_op(g, OP_lseek, gen_slot(g), whence, offset, 0, gen_below(g, 2));
}

static void make_size(struct gen *g)
{
	static const int modes[] = { 0, 1, 3, 3, 16, 8, -1, -1 };

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

static void make_sync(struct gen *g)
{
	if (gen_chance(g, 5))
		gen_op(g, OP_sync, gen_slot(g), gen_below(g, 2), 0, 0, 0);
	else if (gen_chance(g, 20))
		gen_op(g, OP_sync, gen_slot(g), 2, gen_offset(g), gen_length(g), gen_below(g, 9));
	else
		gen_op(g, OP_advise, gen_slot(g), gen_below(g, 8) - 1, gen_offset(g), gen_length(g),
		       gen_below(g, 2));
}

static void make_name(struct gen *g)
{
	int a = gen_below(g, FILES), b = gen_below(g, FILES);

	if (gen_chance(g, 40))
		gen_op(g, OP_fstat, gen_slot(g), gen_below(g, FILES), 0, 0, gen_below(g, 2));
	else if (gen_chance(g, 40))
		gen_op(g, OP_rename, a, b, 0, 0, 0);
	else
		gen_op(g, gen_chance(g, 50) ? OP_link : OP_unlink, a, b, 0, 0, 0);
}

static void make_limit(struct gen *g)
{
	static const int appends[] = { O_APPEND, 0, O_NONBLOCK, O_DIRECT };

	if (gen_chance(g, 60)) {
		gen_op(g, OP_setfl, gen_slot(g), 0,
		       appends[gen_below(g, g->direct ? 4 : 3)], 0, 0);
		return;
	}
	g->limited = !g->limited;
	gen_op(g, OP_rlimit, 0, 0, g->limited ? gen_below(g, g->scale * 2) : -1, 0, 0);
}

static void make_copy(struct gen *g)
{
	static const enum kind kinds[] = { OP_copy, OP_copy, OP_sendfile, OP_splice };
	enum kind kind = kinds[gen_below(g, 4)];
	long long length = gen_length(g);

	if (kind != OP_splice && gen_chance(g, 25))
		length = gen_chance(g, 50) ? 64 << 20 : gen_chance(g, 50) ? 3LL << 30 : -1;
	if (kind == OP_splice && length > 300000)
		length = 300000;
	gen_op6(g, kind, gen_slot(g), gen_slot(g), gen_offset(g), length,
		gen_below(g, 4) | (gen_chance(g, 3) ? BAD_FLAGS : 0), gen_offset(g));
}

static void make_map(struct gen *g)
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

static void make_stream_open(struct gen *g)
{
	static const int sizes[] = { 0, 1, 100, 4096, 5000, 65536 };
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

static void make_stream(struct gen *g)
{
	static const enum kind kinds[] = { OP_fread, OP_fread, OP_fgets, OP_getline, OP_getc,
					   OP_fwrite, OP_fwrite, OP_fputs, OP_fprintf, OP_fputc };
	enum kind kind = kinds[gen_below(g, 10)];
	int size = gen_chance(g, 60) ? 1 : gen_below(g, 300), slot = gen_stream(g);
	long long length = gen_length(g);

	if (gen_chance(g, 20))
		gen_op(g, OP_fseek, slot, SEEK_END, -gen_below(g, 3000), 0, 0);

	if (kind != OP_fread && kind != OP_fwrite && length > 5000)
		length = gen_below(g, 5000);
	gen_op(g, kind, slot, gen_chance(g, 50) ? 0 : gen_below(g, 3), size,
	       size > 1 ? length / size : length, 0);
}

static void make_stream_move(struct gen *g)
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

/* A file written from end to end in equal pieces, then read so, or copied. */
static void make_run(struct gen *g)
{
	static const int pieces[] = { 512, 1000, 4096, 64000, 131072, 1 << 20, 9 << 20 };
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

static void make_child(struct gen *g)
{
	int count = 1 + gen_below(g, 12), slot = gen_slot(g);

	if (gen_chance(g, 15))
		gen_op(g, OP_exec, 0, count, 0, 0, 0);
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

static void make_lock(struct gen *g)
{
	static const int types[] = { F_RDLCK, F_WRLCK, F_WRLCK, F_UNLCK };

	if (gen_chance(g, 25))
		make_lock_kept(g);
	else if (gen_chance(g, 60))
		gen_op(g, OP_lock, gen_slot(g), gen_below(g, 3), gen_below(g, g->scale),
		       gen_chance(g, 50) ? 0 : gen_length(g), types[gen_below(g, 4)]);
	else
		gen_op(g, OP_lockcheck, gen_slot(g), 0, 0, 0, 0);
}

static void make_peek(struct gen *g)
{
	gen_op(g, OP_peek, gen_slot(g), 0, 0, 0, 0);
}

static void (*const makers[])(struct gen *) = {
	make_open, make_mkstemp, make_close, make_dup, make_transfer, make_aio, make_seek,
	make_size, make_sync, make_name, make_limit, make_copy, make_map, make_stream, make_child,
	make_lock,
};

enum { MAKERS = sizeof(makers) / sizeof(*makers) };

static const struct theme themes[] = {
	/*       open mkst close dup xfer aio seek size sync name lim copy map strm child lock */
	{ 40, {   8,   1,   6,   5,  40,  1,  10,   5,   5,   4,  4,   8,  0,   0,   3,   0 } },
	{ 15, {   6,   0,   4,   2,  40,  1,  12,   3,   6,   1,  1,   4,  0,   0,   0,   0 } },
	{ 20, {   6,   1,   5,   3,   8,  0,   4,   3,   3,   2,  2,   4,  0,  50,   4,   0 } },
	{ 12, {   6,   0,   4,   4,  12,  0,   8,   4,   3,   3,  2,  40,  0,   0,   1,   0 } },
	{ 10, {   6,   0,   4,   3,  20,  0,   8,   5,   4,   2,  0,   4, 40,   0,   1,   0 } },
	{ 10, {  10,   1,   8,   6,  20,  0,   5,   2,   3,   2,  1,   3,  0,   0,   5,  25 } },
};

enum { THEMES = sizeof(themes) / sizeof(*themes), RUNS = 1 };

void theme_choose(struct gen *g)
{
	int total = 0, at;

	for (int i = 0; i < THEMES; i++)
		total += themes[i].likely;
	at = gen_below(g, total);
	g->theme = themes;
	while (at >= g->theme->likely)
		at -= g->theme++->likely;
}

static int maker_choose(struct gen *g)
{
	int total = 0, at, maker = 0;

	for (int i = 0; i < MAKERS; i++)
		total += g->theme->weight[i];
	at = gen_below(g, total);
	while (at >= g->theme->weight[maker])
		at -= g->theme->weight[maker++];
	return maker;
}

void theme_step(struct gen *g)
{
	int streams = g->theme->weight[13] > 0;

	if (g->theme == &themes[RUNS] && gen_chance(g, 12))
		make_run(g);
	else if (gen_chance(g, 3))
		make_peek(g);
	else if (streams && gen_chance(g, 8))
		make_stream_open(g);
	else if (streams && gen_chance(g, 15))
		make_stream_move(g);
	else
		makers[maker_choose(g)](g);
}
