/* themes.c - which operations a scene is made of. */
#include "gen.h"

/* A weight for each of the makers below. */
struct theme {
	int likely;
	unsigned char weight[16];
};

static void (*const makers[])(struct gen *) = {
	make_open, make_mkstemp, make_close, make_dup,  make_transfer, make_aio,
	make_seek, make_size,    make_sync,  make_name, make_limit,    make_copy,
	make_map,  make_stream,  make_child, make_lock,
};

enum { MAKERS = sizeof(makers) / sizeof(*makers) };

static const struct theme themes[] = {
	/*       open mkst close dup xfer aio seek size sync name lim copy map strm child lock */
	{40, {8, 1, 6, 5, 40, 1, 10, 5, 5, 4, 4, 8, 0, 0, 3, 0}},
	{15, {6, 0, 4, 2, 40, 1, 12, 3, 6, 1, 1, 4, 0, 0, 0, 0}},
	{20, {6, 1, 5, 3, 8, 0, 4, 3, 3, 2, 2, 4, 0, 50, 4, 0}},
	{12, {6, 0, 4, 4, 12, 0, 8, 4, 3, 3, 2, 40, 0, 0, 1, 0}},
	{10, {6, 0, 4, 3, 20, 0, 8, 5, 4, 2, 0, 4, 40, 0, 1, 0}},
	{10, {10, 1, 8, 6, 20, 0, 5, 2, 3, 2, 1, 3, 0, 0, 5, 25}},
};

enum { THEMES = sizeof(themes) / sizeof(*themes), RUNS = 1, LOCKS = 15 };

void theme_choose(struct gen *g)
{
	int total = 0, at;

	for (int i = 0; i < THEMES; i++)
		total += themes[i].likely;
	at = gen_below(g, total);
	g->theme = themes;
	while (at >= g->theme->likely)
		at -= g->theme++->likely;
	/* On a file that the program locks no policy serves unaligned direct requests. */
	if (g->theme->weight[LOCKS])
		g->direct = 0;
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
