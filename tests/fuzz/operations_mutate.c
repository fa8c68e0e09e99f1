/*
 * operations_mutate.c - how libFuzzer changes lists: by whole operations, as the oracle's generator
 * makes them, so that each stays one that means something.
 */
#include "fuzz.h"
#include "gen.h"
#include "operations.h"

#include <string.h>

enum { DRAWN = 8, TRIES = 40, LARGEST = 40 << 20, RUN = 4 << 20 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t room, unsigned int seed);

/* Which of an operation's numbers are offsets and lengths in bytes. */
static const char *const sizes[OP_COUNT] = {
	[OP_read] = "3",      [OP_pread] = "23",   [OP_write] = "3",      [OP_pwrite] = "23",
	[OP_ftruncate] = "2", [OP_truncate] = "2", [OP_fallocate] = "23", [OP_sync] = "23",
	[OP_advise] = "23",   [OP_copy] = "235",   [OP_sendfile] = "23",  [OP_mapread] = "23",
	[OP_mapwrite] = "23", [OP_fseek] = "2",    [OP_lock] = "23",
};

/* Takes the operations from one place of a list to another. */
static void take(struct list *to, const struct list *from, size_t begin, size_t end)
{
	for (size_t i = begin; i < end && i < from->count; i++)
		list_add(to, from->op[i]);
}

static void become(struct list *list, struct list other)
{
	free(list->op);
	*list = other;
}

static size_t any(struct gen *g, const struct list *list)
{
	return (size_t)gen_below(g, (long long)list->count);
}

static unsigned long long any_seed(struct gen *g)
{
	return (unsigned long long)gen_below(g, 1LL << 40);
}

/* How often a run repeats its call; NULL: it is none. */
static long long *times_in(struct op *op)
{
	switch (op->kind) {
	case OP_runread:
	case OP_runwrite:
	case OP_runfread:
	case OP_runfwrite:
		return &op->a[1];
	case OP_runcopy:
		return &op->a[4];
	default:
		return NULL;
	}
}

/* The generator's next operations; long runs, which take most of the time, are seldom left long. */
static void draw(struct gen *g, struct list *list, size_t count)
{
	size_t from = list->count;

	generate_more(list, any_seed(g), count);
	for (; from < list->count; from++) {
		long long *times = times_in(&list->op[from]);
		long long most = list->op[from].a[3] > 0 ? 1 + RUN / list->op[from].a[3] : 1;
		if (times && *times > most && !gen_chance(g, 3))
			*times = most;
	}
}

static void insert(struct gen *g, struct list *list)
{
	struct list other = {0};
	size_t at = (size_t)gen_below(g, (long long)list->count + 1);

	take(&other, list, 0, at);
	draw(g, &other, 1 + (size_t)gen_below(g, DRAWN));
	take(&other, list, at, list->count);
	become(list, other);
}

static void remove_some(struct gen *g, struct list *list)
{
	struct list other = {0};
	size_t at = any(g, list);

	take(&other, list, 0, at);
	take(&other, list, at + 1 + (size_t)gen_below(g, DRAWN), list->count);
	become(list, other);
}

static void repeat_some(struct gen *g, struct list *list)
{
	struct list other = {0};
	size_t at = any(g, list), from = any(g, list);

	take(&other, list, 0, at);
	take(&other, list, from, from + 1 + (size_t)gen_below(g, DRAWN));
	take(&other, list, at, list->count);
	become(list, other);
}

/* Another of its kind in its place, or another kind after all. */
static void draw_again(struct gen *g, struct list *list)
{
	size_t at = any(g, list);
	struct list other = {0};

	for (int i = 0; i < TRIES; i++) {
		other.count = 0;
		take(&other, list, 0, at);
		draw(g, &other, 1);
		if (other.op[at].kind == list->op[at].kind)
			break;
	}
	list->op[at] = other.op[at];
	free(other.op);
}

/* One of an operation's sizes; NULL: it has none. */
static long long *size_in(struct gen *g, struct op *op)
{
	const char *which = sizes[op->kind];

	return which ? &op->a[which[gen_below(g, (long long)strlen(which))] - '0'] : NULL;
}

/* Where something begins or ends: of another operation, or of what the library is made of. */
static void resize(struct gen *g, struct list *list)
{
	static const int near[] = {0, 0, 0, 1, -1, 512, -512, 4096, -4096};
	long long *size = size_in(g, &list->op[any(g, list)]);
	const long long *other = size_in(g, &list->op[any(g, list)]);
	long long value = other && gen_chance(g, 60)
				  ? *other
				  : 1LL << gen_below(g, gen_chance(g, 5) ? 26 : 23);

	value += near[gen_below(g, sizeof(near) / sizeof(*near))];
	if (size && value <= LARGEST)
		*size = value;
}

static void other_policy(struct gen *g, struct input *input)
{
	input->policy = operations_policies[gen_below(g, POLICIES)];
}

static void change(struct gen *g, struct input *input)
{
	struct list *list = &input->list;
	long long chosen = list->count ? gen_below(g, 20) : 0;

	if (chosen < 6)
		insert(g, list);
	else if (chosen < 9)
		remove_some(g, list);
	else if (chosen < 11)
		repeat_some(g, list);
	else if (chosen < 14)
		draw_again(g, list);
	else if (chosen < 18)
		resize(g, list);
	else
		other_policy(g, input);
}

/* Cuts the list's end until there is the room. */
static size_t fitted(struct input *input, uint8_t *out, size_t room)
{
	size_t n;

	while (!(n = operations_write(input, out, room)) && input->list.count)
		input->list.count--;
	free(input->list.op);
	return n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed)
{
	struct input input = operations_read(data, size);
	struct gen g = {.state = seed};

	do
		change(&g, &input);
	while (gen_chance(&g, 50));
	return fitted(&input, data, room);
}

/* The beginning of one and the end of another, as the first is treated. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t room, unsigned int seed)
{
	struct input head = operations_read(data1, size1), tail = operations_read(data2, size2);
	struct gen g = {.state = seed};

	if (head.list.count)
		head.list.count = 1 + any(&g, &head.list);
	if (tail.list.count)
		take(&head.list, &tail.list, any(&g, &tail.list), tail.list.count);
	free(tail.list.op);
	return fitted(&head, out, room);
}
