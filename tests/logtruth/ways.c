/* ways.c - `ways NAME` moves bytes in a way of ways.def; `ways list` prints what the log must say.
 */
#include "ways.h"

unsigned char way_buffer[2 << 20];

static const struct way {
	const char *name;
	void (*run)(void);
	long read, written;
	int sources, sinks;
	long unseen_read, unseen_written;
} ways[] = {
#define WAY(name, read, written, sources, sinks, unseen_read, unseen_written)                      \
	{#name, by_##name, read, written, sources, sinks, unseen_read, unseen_written},
#include "ways.def"
#undef WAY
};

enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static void list(void)
{
	for (int i = 0; i < WAYS; i++)
		printf("%s %ld %ld %d %d %ld %ld\n", ways[i].name, ways[i].read, ways[i].written,
		       ways[i].sources, ways[i].sinks, ways[i].unseen_read, ways[i].unseen_written);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "list";

	if (strcmp(name, "list") == 0)
		list();
	if (strcmp(name, "standard_input") == 0)
		by_standard_input();
	for (int i = 0; i < WAYS; i++)
		if (strcmp(name, ways[i].name) == 0)
			ways[i].run();
	return 0;
}
