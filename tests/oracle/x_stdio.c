/* x_stdio.c - streams. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum { VBUF = 64 << 10 };

static char vbuf[SLOTS][VBUF];
static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "re", "wx", "rb", "w+e"};

#pragma weak __fread_chk
#pragma weak __fgets_chk
extern size_t __fread_chk(void *buf, size_t room, size_t size, size_t n, FILE *fp);
extern char *__fgets_chk(char *buf, size_t room, int n, FILE *fp);

static const char *mode_of(long long number)
{
	return modes[(unsigned long long)number % (sizeof(modes) / sizeof(*modes))];
}

static void say_stream(const struct op *op)
{
	say_slot(op->a[0]);
}

/* Reading after writing and the other way round, as the C standard asks. */
static int turn(const struct slot *s, int writing)
{
	int ret;

	if (!writing || !s->writing || writing == s->writing)
		return 0;
	ret = fseek(s->fp, 0, SEEK_CUR);
	say(" turned=%d", ret);
	return ret;
}

/*
 * The slot's stream, turned to reading or writing; NULL: there is none. One that cannot turn is
 * left alone: glibc 2.36 frees a wild pointer where ungetc meets unwritten bytes.
 */
static FILE *stream(const struct op *op, int writing)
{
	struct slot *s = slot_of(op->a[0]);

	if (!s || !s->fp || turn(s, writing)) {
		say(" skipped");
		return NULL;
	}
	if (writing)
		s->writing = writing;
	quiet();
	return s->fp;
}

static void opened(const struct op *op, struct slot *s, FILE *fp)
{
	static const int kinds[] = {0, _IONBF, _IOLBF, _IOFBF};
	int number = s - slots;

	say_result(fp ? 0 : -1);
	if (fp) {
		s->fd = fileno(fp);
		s->fp = fp;
		s->writing = 0;
	}
	if (fp && op->a[3])
		setvbuf(fp, op->a[4] ? vbuf[number] : NULL, kinds[op->a[3]], op->a[4]);
	say_stream(op);
}

/* a[2]: mode, a[3]: kind of buffering, a[4]: its size. */
void do_fopen(const struct op *op)
{
	struct slot *s = slot_of(op->a[0]);
	const char *path = file_path(op->a[1], 0);
	FILE *fp;

	if (s->fd >= 0) {
		close_slot(s);
		say(" then");
	}
	slot_set(s, -1, 0);
	quiet();
	fp = op->a[5] % 2 ? fopen64(path, mode_of(op->a[2])) : fopen(path, mode_of(op->a[2]));
	opened(op, s, fp);
}

/* A stream's own calls reach no shim, so O_DIRECT stays what it is there. */
void do_fdopen(const struct op *op)
{
	struct slot *s = slot_of(op->a[0]);

	if (!s || s->fp || s->fd < 0 || direct_promised(op->a[0]))
		say(" skipped");
	else
		opened(op, s, fdopen(s->fd, mode_of(op->a[2])));
}

void do_freopen(const struct op *op)
{
	struct slot *s = slot_of(op->a[0]);
	FILE *fp = stream(op, 0);

	if (!fp)
		return;
	slot_set(s, -1, 0);
	quiet();
	opened(op, s, freopen(file_path(op->a[1], 0), mode_of(op->a[2]), fp));
}

void do_fread(const struct op *op)
{
	size_t size = op->a[2], count = op->a[3], got;
	FILE *fp = stream(op, -1);
	char *buf = buf_in(op);

	if (!fp)
		return;
	if (op->a[1] == 1)
		got = fread_unlocked(buf, size, count, fp);
	else if (op->a[1] == 2 && __fread_chk)
		got = __fread_chk(buf, size * count, size, count, fp);
	else
		got = fread(buf, size, count, fp);
	say_result(got);
	/* A last item that is not whole is in the buffer all the same. */
	say_read(buf, got < count ? size * count : size * got, size * count, 0);
	say_stream(op);
}

void do_fgets(const struct op *op)
{
	FILE *fp = stream(op, -1);
	char *buf = buf_in(op), *got;

	if (!fp)
		return;
	if (op->a[1] == 2 && __fgets_chk)
		got = __fgets_chk(buf, op->a[3], op->a[3], fp);
	else
		got = op->a[1] == 1 ? fgets_unlocked(buf, op->a[3], fp) : fgets(buf, op->a[3], fp);
	say_result(got ? 0 : -1);
	say_read(buf, op->a[3], op->a[3], 0);
	say_stream(op);
}

void do_getline(const struct op *op)
{
	static char *line;
	static size_t room;
	FILE *fp = stream(op, -1);
	ssize_t got;

	if (!fp)
		return;
	got = op->a[1] ? getdelim(&line, &room, 'x', fp) : getline(&line, &room, fp);
	say_result(got);
	say(" sum=%llx", buf_sum(line, got < 0 ? 0 : got));
	say_stream(op);
}

void do_getc(const struct op *op)
{
	FILE *fp = stream(op, -1);
	int got = 0;
	unsigned long long sum = 0;

	for (long long i = 0; fp && i < op->a[3] && got != EOF; i++) {
		got = op->a[1] == 0 ? getc(fp) : op->a[1] == 1 ? fgetc(fp) : getc_unlocked(fp);
		sum = sum * 31 + got;
	}
	if (!fp)
		return;
	say_result(got);
	say(" sum=%llx", sum);
	say_stream(op);
}

void do_ungetc(const struct op *op)
{
	FILE *fp = stream(op, -1);

	if (!fp)
		return;
	say_result(ungetc((int)op->a[3], fp));
	say_stream(op);
}

void do_fwrite(const struct op *op)
{
	size_t size = op->a[2], count = op->a[3];
	FILE *fp = stream(op, 1);
	char *buf = buf_out(op, size * count);

	if (!fp)
		return;
	say_result(op->a[1] ? fwrite_unlocked(buf, size, count, fp) : fwrite(buf, size, count, fp));
	say_stream(op);
}

static const char *text(const struct op *op)
{
	static char line[200];
	size_t len = (unsigned long long)op->a[3] % (sizeof(line) - 1);
	const char *bytes = buf_out(op, len);

	for (size_t i = 0; i < len; i++)
		line[i] = ' ' + (bytes[i] & 63);
	line[len] = 0;
	return line;
}

void do_fputs(const struct op *op)
{
	FILE *fp = stream(op, 1);

	if (!fp)
		return;
	say_result(op->a[1] ? fputs_unlocked(text(op), fp) : fputs(text(op), fp));
	say_stream(op);
}

void do_fprintf(const struct op *op)
{
	FILE *fp = stream(op, 1);

	if (!fp)
		return;
	say_result(fprintf(fp, "%s:%lld\n", text(op), op->a[5]));
	say_stream(op);
}

void do_dprintf(const struct op *op)
{
	if (direct_promised(op->a[0])) {
		say(" skipped");
		return;
	}
	say_result(dprintf(fd_of(op->a[0]), "%s:%lld\n", text(op), op->a[5]));
	say_slot(op->a[0]);
}

/* A stream that has no descriptor. */
void do_memstream(const struct op *op)
{
	char memory[64] = "", back[64] = "";
	FILE *fp = fmemopen(memory, sizeof(memory), "w+");
	size_t put, got;

	if (!fp)
		return;
	quiet();
	put = fwrite(text(op), 1, 20, fp);
	rewind(fp);
	got = fread(back, 1, 10, fp);
	say_result((long long)(put * 100 + got));
	quiet();
	say_result(fgetc(fp));
	quiet();
	say_result(fclose(fp));
	say(" sum=%llx", buf_sum(back, sizeof(back)));
}

void do_fputc(const struct op *op)
{
	FILE *fp = stream(op, 1);
	int got = 0;

	for (long long i = 0; fp && i < op->a[3] && got != EOF; i++)
		got = op->a[1] == 0   ? putc((int)i, fp)
		      : op->a[1] == 1 ? fputc((int)i, fp)
				      : putc_unlocked((int)i, fp);
	if (!fp)
		return;
	say_result(got);
	say_stream(op);
}

void do_fseek(const struct op *op)
{
	FILE *fp = stream(op, 0);

	if (!fp)
		return;
	if (op->a[4] == 2)
		rewind(fp);
	say_result(op->a[4] == 2 ? 0
		   : op->a[4]    ? fseeko(fp, op->a[2], op->a[1])
				 : fseek(fp, op->a[2], op->a[1]));
	slot_of(op->a[0])->writing = 0;
	say_stream(op);
}

void do_ftell(const struct op *op)
{
	FILE *fp = stream(op, 0);

	if (!fp)
		return;
	say_result(op->a[4] ? ftello(fp) : ftell(fp));
	say_stream(op);
}

void do_fflush(const struct op *op)
{
	FILE *fp = stream(op, 0);

	if (!fp)
		return;
	say_result(fflush(op->a[4] ? NULL : fp));
	say_stream(op);
}

void do_runfread(const struct op *op)
{
	FILE *fp = stream(op, -1);
	unsigned long long sum = 0;
	size_t got = op->a[3];
	long long calls = 0;

	if (!fp)
		return;
	for (; calls < op->a[1] && got == (size_t)op->a[3]; calls++) {
		quiet();
		got = fread(buf_in(op), 1, op->a[3], fp);
		sum = sum * 31 + buf_sum(buf_in(op), got);
	}
	say_result(got);
	say(" calls=%lld sums=%llx", calls, sum);
	say_read(buf_in(op), op->a[3], op->a[3], 0);
	say_stream(op);
}

void do_runfwrite(const struct op *op)
{
	FILE *fp = stream(op, 1);
	struct op each = *op;
	size_t got = op->a[3];
	long long calls = 0;

	if (!fp)
		return;
	for (; calls < op->a[1] && got == (size_t)op->a[3]; calls++) {
		quiet();
		got = fwrite(buf_out(&each, op->a[3]), 1, op->a[3], fp);
		each.a[5] += 4099;
	}
	say_result(got);
	say(" calls=%lld", calls);
	say_stream(op);
}
