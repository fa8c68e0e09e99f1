/* pace.c - what would be saved if a stream were read while it is used. */
#include "pace.h"

#include "align.h"
#include "sys.h"

enum { ENOUGH = 8 * 1024 * 1024, SCALE = 1024 * 1024 };

void pace_begins(struct pace *pace)
{
	int64_t now = sys_steady_clock();

	if (pace->ended)
		pace->used += now - pace->ended;
	pace->ended = now;
}

void pace_ended(struct pace *pace, int64_t n)
{
	int64_t now = sys_steady_clock();

	pace->reading += now - pace->ended;
	pace->ended = now;
	pace->bytes += n;
}

void pace_breaks(struct pace *pace)
{
	pace->ended = 0;
}

int64_t pace_saves(const struct pace *pace, int64_t n)
{
	if (pace->bytes < ENOUGH)
		return 0;
	return smaller(pace->reading, pace->used) / (pace->bytes / SCALE) * (n / SCALE);
}
