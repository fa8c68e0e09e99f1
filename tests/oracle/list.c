/* list.c - the text form of an operation list. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[OP_COUNT] = {
#define OP(name) [OP_##name] = #name,
#include "ops.def"
#undef OP
};

void list_add(struct list *list, struct op op)
{
	if (list->count == list->room) {
		list->room = list->room ? list->room * 2 : 1024;
		list->op = realloc(list->op, list->room * sizeof(*list->op));
		if (!list->op)
			abort();
	}
	list->op[list->count++] = op;
}

int kind_of(const char *word)
{
	for (int kind = 0; kind < OP_COUNT; kind++)
		if (strcmp(word, words[kind]) == 0)
			return kind;
	return -1;
}

int list_read(struct list *list, FILE *from)
{
	char line[512], word[32];

	for (int number = 1; fgets(line, sizeof(line), from); number++) {
		struct op op;
		long long *a = op.a;
		int kind;

		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (sscanf(line, "%31s %lld %lld %lld %lld %lld %lld", word, a, a + 1, a + 2, a + 3,
			   a + 4, a + 5) != 1 + ARGS ||
		    (kind = kind_of(word)) < 0)
			return number;
		op.kind = kind;
		list_add(list, op);
	}
	return 0;
}

int op_text(char *to, size_t room, const struct op *op)
{
	const long long *a = op->a;

	return snprintf(to, room, "%s %lld %lld %lld %lld %lld %lld", words[op->kind], a[0], a[1],
			a[2], a[3], a[4], a[5]);
}

void list_write(const struct list *list, FILE *to)
{
	char text[256];

	for (size_t i = 0; i < list->count; i++) {
		op_text(text, sizeof(text), &list->op[i]);
		fprintf(to, "%s\n", text);
	}
}
