/*
 * gen.c - the operations of a seed.
 *
 * A list is a row of scenes. A scene has a theme (which operations are likely) and a scale (how
 * large its files get), and ends with a reset, so that a difference in one needs no other.
 */
#include "gen.h"

#include <fcntl.h>
#include <string.h>

enum { SCENE = 160 };

static unsigned long long next_random(struct gen *g)
{
	unsigned long long x = g->state += 0x9E3779B97F4A7C15ULL;

	x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
	x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
	return x ^ (x >> 31);
}

long long gen_below(struct gen *g, long long limit)
{
	return next_random(g) % limit;
}

int gen_chance(struct gen *g, int percent)
{
	return gen_below(g, 100) < percent;
}

void gen_op(struct gen *g, enum kind kind, long long a, long long b, long long c, long long d,
	    long long e)
{
	list_add(g->list, (struct op){kind, {a, b, c, d, e, gen_below(g, 1000000)}});
}

void gen_op6(struct gen *g, enum kind kind, long long a, long long b, long long c, long long d,
	     long long e, long long f)
{
	list_add(g->list, (struct op){kind, {a, b, c, d, e, f}});
}

int gen_slot(struct gen *g)
{
	int slot;

	if (gen_chance(g, 2))
		return gen_chance(g, 50)   ? SLOT_MINUS_ONE
		       : gen_chance(g, 50) ? SLOT_CLOSED
					   : SLOT_AT_FDCWD;
	slot = gen_below(g, SLOTS);
	for (int tries = 0; tries < 20 && !g->open[slot] && !gen_chance(g, 3); tries++)
		slot = gen_below(g, SLOTS);
	return slot;
}

int gen_stream(struct gen *g)
{
	int slot = gen_below(g, SLOTS);

	for (int tries = 0; tries < 30 && g->open[slot] != GEN_STREAM; tries++)
		slot = gen_below(g, SLOTS);
	return slot;
}

int gen_free_slot(struct gen *g)
{
	int slot = gen_below(g, SLOTS);

	for (int tries = 0; tries < 10 && g->open[slot]; tries++)
		slot = gen_below(g, SLOTS);
	return slot;
}

int gen_file(struct gen *g)
{
	if (gen_chance(g, 2))
		return FILES + gen_below(g, 3);
	return gen_below(g, gen_chance(g, 60) ? 2 : FILES);
}

long long gen_length(struct gen *g)
{
	static const int usual[] = {0,    1,    2,    7,    100,   511,   512,   513,   1000,
				    4095, 4096, 4097, 8192, 16384, 64000, 65536, 131072};
	long long length;

	if (gen_chance(g, 40))
		return gen_below(g, g->scale);
	length = usual[gen_below(g, sizeof(usual) / sizeof(*usual))];
	if (gen_chance(g, 2))
		return 8 << 20 | gen_below(g, 1 << 20);
	return length <= 2 * g->scale ? length : gen_below(g, 4096);
}

long long gen_offset(struct gen *g)
{
	switch (gen_below(g, 8)) {
	case 0:
		return 0;
	case 1:
		return gen_chance(g, 50) ? -1 : -1 - gen_below(g, 5000);
	case 2:
	case 3:
		return gen_below(g, g->scale * 2) & ~4095LL;
	case 4:
		return gen_below(g, g->scale * 2) & ~511LL;
	default:
		return gen_below(g, g->scale * 2);
	}
}

static void scene_choose(struct gen *g)
{
	static const int scales[] = {3000, 20000, 20000, 200000, 200000, 1 << 20};

	for (int slot = 0; slot < SLOTS; slot++)
		g->open[slot] = GEN_CLOSED;
	g->limited = 0;
	g->scale = scales[gen_below(g, sizeof(scales) / sizeof(*scales))];
	g->direct = gen_chance(g, 20);
	theme_choose(g);
}

static void scene_start(struct gen *g)
{
	scene_choose(g);
	for (int slot = 0; slot < 3; slot++) {
		gen_op(g, OP_open, slot, slot % 2,
		       O_RDWR | O_CREAT | (g->direct && slot == 2 ? O_DIRECT : 0), 0644, 0);
		gen_op(g, OP_write, slot, 0, 0, gen_length(g), 0);
		g->open[slot] = GEN_OPEN;
	}
}

static void scene(struct gen *g, size_t end)
{
	size_t stop = g->list->count + SCENE;

	scene_start(g);
	while (g->list->count < stop && g->list->count < end)
		theme_step(g);
	if (g->list->count < end)
		gen_op(g, OP_reset, 0, 0, 0, 0, 0);
}

void generate(struct list *list, unsigned long long seed, size_t count)
{
	struct gen g = {.list = list, .state = seed * 0xD1342543DE82EF95ULL};

	while (list->count < count)
		scene(&g, count);
	list->count = count;
}

/* Sees what an operation opens or closes, if it goes well. */
static void follow(struct gen *g, const struct op *op)
{
	int in = op->a[0] >= 0 && op->a[0] < SLOTS ? (int)op->a[0] : 0;

	switch (op->kind) {
	case OP_open:
	case OP_mkstemp:
		g->open[in] = GEN_OPEN;
		break;
	case OP_dup:
	case OP_dup2:
		g->open[op->a[1]] = GEN_OPEN;
		break;
	case OP_fopen:
	case OP_fdopen:
		g->open[in] = GEN_STREAM;
		break;
	case OP_close:
		g->open[in] = GEN_CLOSED;
		break;
	case OP_reset:
		memset(g->open, GEN_CLOSED, sizeof(g->open));
		break;
	default:
		break;
	}
}

void generate_more(struct list *list, unsigned long long seed, size_t count)
{
	struct gen g = {.list = list, .state = seed * 0xD1342543DE82EF95ULL};
	size_t end = list->count + count;

	if (list->count == 0) {
		scene_start(&g);
	} else {
		scene_choose(&g);
		for (size_t i = 0; i < list->count; i++)
			follow(&g, &list->op[i]);
	}
	while (list->count < end)
		theme_step(&g);
}
