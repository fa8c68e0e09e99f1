/* ops.c - oracle-run: performs a list of operations and writes the trace of them. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void (*const doers[OP_COUNT])(const struct op *) = {
#define OP(name) [OP_##name] = do_##name,
#include "ops.def"
#undef OP
};

static struct list list;
static size_t next, end;
static char **arguments;
static int argument_count;

static void run_one(size_t index)
{
	char text[256];

	op_text(text, sizeof(text), &list.op[index]);
	say("%zu %s =", index, text);
	quiet();
	doers[list.op[index].kind](&list.op[index]);
	say("\n");
}

void run(size_t from, size_t to)
{
	end = to < list.count ? to : list.count;
	for (next = from; next < end;)
		run_one(next++);
}

void run_skip(size_t count)
{
	next = next + count < end ? next + count : end;
}

size_t run_next(void)
{
	return next;
}

size_t run_end(void)
{
	return end;
}

static char *slots_text(void)
{
	static char text[SLOTS * 16];
	char *at = text;

	for (int i = 0; i < SLOTS; i++)
		at += sprintf(at, "%d%c", slots[i].fd, asked_direct(&slots[i]) ? 'd' : ',');
	return text;
}

char *const *exec_arguments(size_t from, size_t to)
{
	static char *again[32], range[64];
	int count = 0;

	while (count < argument_count && count < EXEC_ARGUMENTS - 4 &&
	       strcmp(arguments[count], "-x")) {
		again[count] = arguments[count];
		count++;
	}
	snprintf(range, sizeof(range), "%zu-%zu", from, to);
	again[count++] = "-x";
	again[count++] = range;
	again[count++] = "-f";
	again[count++] = slots_text();
	while (count < EXEC_ARGUMENTS)
		again[count++] = "-z";
	again[count] = NULL;
	return again;
}

static void slots_from(char *text)
{
	for (int i = 0; i < SLOTS; i++) {
		int fd = text ? strtol(text, &text, 10) : -1;

		/* what exec closed is no descriptor any more, whatever gets its number */
		if (raw_fcntl(fd, F_GETFD, NULL) < 0)
			fd = -1;
		slot_set(&slots[i], fd, text && *text == 'd');
		if (text && *text)
			text++;
	}
}

static void usage(void)
{
	fprintf(stderr,
		"usage: oracle-run -d DIR -t TRACE {-l LIST | -s SEED -n OPS} [-b | -B] [-h] [-q]\n"
		"                  [-w MESSAGES]\n"
		"       oracle-run -p -s SEED -n OPS\n"
		"  -b  O_DIRECT may take any request    -h  say where data and holes are\n"
		"  -B  and is only pretended            -q  look at descriptors seldom\n"
		"  -w  once for each byte of standard input\n"
		"  -p  print the list\n");
	exit(2);
}

struct settings {
	const char *trace, *list, *messages;
	char *range, *slots;
	unsigned long long seed;
	size_t count;
	int print;
};

static void settings_read(struct settings *s, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "d:t:l:s:n:x:f:w:pbBhqz")) != -1)
		switch (option) {
		case 'd':
			work_dir = optarg;
			break;
		case 't':
			s->trace = optarg;
			break;
		case 'l':
			s->list = optarg;
			break;
		case 's':
			s->seed = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			s->count = strtoull(optarg, NULL, 10);
			break;
		case 'x':
			s->range = optarg;
			break;
		case 'f':
			s->slots = optarg;
			break;
		case 'w':
			s->messages = optarg;
			break;
		case 'p':
			s->print = 1;
			break;
		case 'b':
			direct_is = DIRECT_LENIENT;
			break;
		case 'B':
			direct_is = DIRECT_FAKED;
			break;
		case 'h':
			say_holes = 1;
			break;
		case 'q':
			say_seldom = 1;
			break;
		case 'z':
			break;
		default:
			usage();
		}
	if (optind != argc || (!s->print && (!work_dir || !s->trace)))
		usage();
}

/* The list is not the library's business either: read raw, then parsed from memory. */
static FILE *list_text(const char *path)
{
	int fd = raw_open(path, O_RDONLY, 0);
	long long size = fd < 0 ? 0 : file_size(fd);
	char *text = malloc(size + 1);

	if (size <= 0 || !text || raw_read(fd, text, size) != size)
		return NULL;
	raw_close(fd);
	return fmemopen(text, size, "r");
}

static size_t range_end(const char *range)
{
	return strtoull(strchr(range, '-') + 1, NULL, 10);
}

static void list_open(const struct settings *s)
{
	FILE *from;
	int bad = 0;

	if (!s->list) {
		generate(&list, s->seed, s->range ? range_end(s->range) : s->count);
		return;
	}
	from = list_text(s->list);
	if (!from || (bad = list_read(&list, from))) {
		fprintf(stderr, "oracle-run: %s: line %d\n", s->list, bad);
		exit(2);
	}
	fclose(from);
}

/* Where O_DIRECT cannot be had at all, the reference asks for it and sees that. */
static void probe_direct(void)
{
	int fd = raw_open("probe", O_RDWR | O_CREAT | O_DIRECT, 0600);

	if (fd == -EINVAL)
		direct_is = DIRECT_STRICT;
	raw_close(fd);
	raw_call(SYS_unlinkat, AT_FDCWD, (long)"probe", 0, 0, 0, 0);
}

static void part_of(struct settings *s)
{
	const char *mark = getenv("ORACLE_MARK");

	in_child = EXECED;
	say("arguments=%d first=%s last=%s mark=%s\n", argument_count, arguments[0],
	    arguments[argument_count - 1], mark ? mark : "");
	run(strtoull(s->range, NULL, 10), range_end(s->range));
}

int main(int argc, char **argv)
{
	struct settings s = {.count = 1000};

	arguments = argv;
	argument_count = argc;
	settings_read(&s, argc, argv);
	buf_open();
	if (s.messages && !s.range)
		serve(s.messages);
	list_open(&s);
	if (s.print) {
		list_write(&list, stdout);
		return 0;
	}
	if (chdir(work_dir)) {
		perror(work_dir);
		return 2;
	}
	umask(022);
	trace_open(s.trace, (4 << 20) + list.count * 1024, !s.range);
	watch_signals();
	slots_from(s.slots);
	probe_direct();
	if (s.range) {
		part_of(&s);
		return 0;
	}
	run(0, list.count);
	say_files();
	say("end\n");
	return 0;
}
