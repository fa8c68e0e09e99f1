/*
 * shrink.c - a shorter list that still differs.
 *
 * Cut after the operation at fault and before its scene, then drop ever smaller chunks (A. Zeller
 * and R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002).
 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct list without(const struct list *list, size_t from, size_t to)
{
	struct list less = {0};

	for (size_t i = 0; i < list->count; i++)
		if (i < from || i >= to)
			list_add(&less, list->op[i]);
	return less;
}

/* Takes the shorter list where it differs too. */
static int drop(struct trial *t, struct list *list, size_t from, size_t to, long *op)
{
	struct list less = without(list, from, to);
	long at;

	t->list = &less;
	if (less.count == 0 || trial_run(t, 0, &at) != TRIAL_DIFFERS) {
		free(less.op);
		t->list = list;
		return 0;
	}
	free(list->op);
	*list = less;
	*op = at;
	t->list = list;
	return 1;
}

static void cut_to_scene(struct trial *t, struct list *list, long op)
{
	size_t from;

	if (op >= 0 && (size_t)op + 1 < list->count)
		drop(t, list, op + 1, list->count, &op);
	from = op >= 0 ? (size_t)op : list->count - 1;
	while (from > 0 && list->op[from - 1].kind != OP_reset)
		from--;
	if (from > 0)
		drop(t, list, 0, from, &op);
}

void shrink(struct trial *t, struct list *list, long op, int seconds)
{
	time_t end = time(NULL) + seconds;

	t->list = list;
	cut_to_scene(t, list, op);
	for (size_t chunk = list->count / 2; chunk > 0;) {
		int dropped = 0;

		for (size_t from = 0; from < list->count && time(NULL) < end;) {
			if (drop(t, list, from, from + chunk, &op))
				dropped = 1;
			else
				from += chunk;
		}
		if (!dropped || chunk > 1)
			chunk /= 2;
		if (time(NULL) >= end)
			break;
	}
}
