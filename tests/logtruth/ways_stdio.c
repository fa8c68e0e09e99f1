/* ways_stdio.c - by a FILE. What the log counts is what libc reads and writes, not what is taken.
 */
#include "ways.h"

#include <wchar.h>

void by_fread(void)
{
	FILE *fp = must_open("src", "r");

	while (fread(way_buffer, 1, 10000, fp) > 0)
		;
	must(fclose(fp) == 0, "fclose");
}

/* The last item is cut short by the end of the file, and still read. */
void by_fread_items(void)
{
	FILE *fp = must_open("src", "r");

	must_move((ssize_t)fread(way_buffer, 7000, 1000, fp), SIZE / 7000, "fread");
	must(fclose(fp) == 0, "fclose");
}

void by_fread_some(void)
{
	FILE *fp = must_open("src", "r");

	must_move((ssize_t)fread(way_buffer, 1, 10, fp), 10, "fread");
	must(fclose(fp) == 0, "fclose");
}

void by_fgets(void)
{
	FILE *fp = must_open("src", "r");

	while (fgets((char *)way_buffer, 100, fp))
		;
	must(fclose(fp) == 0, "fclose");
}

void by_getline(void)
{
	FILE *fp = must_open("src", "r");
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, fp) > 0)
		;
	free(line);
	must(fclose(fp) == 0, "fclose");
}

void by_getc(void)
{
	FILE *fp = must_open("src", "r");

	while (getc(fp) != EOF)
		;
	must(fclose(fp) == 0, "fclose");
}

void by_fscanf(void)
{
	FILE *fp = must_open("src", "r");
	int n;

	while (fscanf(fp, "%d", &n) == 1)
		;
	must(fclose(fp) == 0, "fclose");
}

/* Each call takes up where another left the buffer. */
void by_mixed(void)
{
	FILE *fp = must_open("src", "r");
	int n;

	while (getc(fp) != EOF) {
		fgets((char *)way_buffer, 100, fp);
		if (fscanf(fp, "%d", &n) != 1)
			break;
		must(fread(way_buffer, 3, 7, fp) <= 7, "fread");
	}
	must(feof(fp) && fclose(fp) == 0, "fclose");
}

void by_pushed_back(void)
{
	FILE *fp = must_open("src", "r");
	int c;

	for (int i = 0; (c = getc(fp)) != EOF; i++)
		if (i % 1000 == 0) {
			must(ungetc('x', fp) == 'x', "ungetc");
			must(fread(way_buffer, 1, 100, fp) <= 100, "fread");
		}
	must(fclose(fp) == 0, "fclose");
}

/* The first read, a place elsewhere, a place in the buffer, and one before it. */
void by_fseek(void)
{
	FILE *fp = must_open("src", "r");

	must(fread(way_buffer, 1, 10, fp) == 10, "fread");
	must(fseek(fp, 100 * 4096 + 50, SEEK_SET) == 0, "fseek");
	must(fread(way_buffer, 1, 10, fp) == 10, "fread");
	must(fseek(fp, 10, SEEK_CUR) == 0, "fseek");
	must(fread(way_buffer, 1, 10, fp) == 10, "fread");
	rewind(fp);
	must(fread(way_buffer, 1, 10, fp) == 10, "fread");
	must(fclose(fp) == 0, "fclose");
}

void by_reopened(void)
{
	FILE *fp = must_open("src", "r");

	must(getc(fp) != EOF, "getc");
	fp = freopen("dst", "w", fp);
	must(fp != NULL, "freopen");
	must(fwrite(way_buffer, 1, 4096, fp) == 4096, "fwrite");
	must(fclose(fp) == 0, "fclose");
}

void by_fwrite(void)
{
	FILE *fp = must_open("dst", "w");

	must(fwrite(way_buffer, 1, SOME, fp) == SOME, "fwrite");
	must(fclose(fp) == 0, "fclose");
}

static void put(FILE *fp)
{
	for (int i = 0; i < SOME; i++)
		must(putc('x', fp) == 'x', "putc");
}

void by_characters(void)
{
	FILE *fp = must_open("dst", "w");

	put(fp);
	must(fclose(fp) == 0, "fclose");
}

/* What standard output still holds when the program ends. */
void by_characters_at_exit(void)
{
	must(dup2(create("dst"), 1) == 1, "dup2");
	close(3);
	put(stdout);
}

/* What another FILE does is written by libc when nobody can see it any more. */
void by_characters_left(void)
{
	put(must_open("dst", "w"));
}

void by_lines(void)
{
	FILE *fp = must_open("dst", "w");

	setvbuf(fp, NULL, _IOLBF, 0);
	for (int i = 0; i < 1000; i++) {
		must(fputs("1234\n", fp) >= 0, "fputs");
		must(fprintf(fp, "%04d\n", i) == 5, "fprintf");
		must(fwrite("5678\n", 5, 1, fp) == 1, "fwrite");
	}
	must(fclose(fp) == 0, "fclose");
}

/* Characters that fflush(3) sends, alone, after whole buffers, and with those of every FILE. */
void by_flushed(void)
{
	FILE *fp = must_open("dst", "w");

	must(fputc('x', fp) == 'x' && fflush(fp) == 0 && fflush(fp) == 0, "fflush");
	put(fp);
	must(fflush(fp) == 0, "fflush");
	for (int i = 0; i < 9; i++)
		must(fputc('x', fp) == 'x', "fputc");
	must(fflush(fp) == 0 && fwrite(way_buffer, 1, 10, fp) == 10, "fwrite");
	must(fflush(NULL) == 0 && fclose(fp) == 0, "fclose");
}

/* Characters that setting the position sends. */
void by_rewritten(void)
{
	FILE *fp = must_open("dst", "w");

	for (int i = 0; i < 30000; i++)
		must(fputc('x', fp) == 'x', "fputc");
	rewind(fp);
	for (int i = 0; i < 10; i++)
		must(fputc('y', fp) == 'y', "fputc");
	must(fseek(fp, 5000, SEEK_SET) == 0 && fwrite(way_buffer, 1, 10, fp) == 10, "fwrite");
	must(fclose(fp) == 0, "fclose");
}

void by_dprintf(void)
{
	must(dprintf(create("dst"), "%d", 12345) == 5, "dprintf");
}

/* libc's own messages are written past all that can be interposed. */
void by_message(void)
{
	must(dup2(create("dst"), 2) == 2 && close(3) == 0, "dup2");
	errno = ENOENT;
	perror("x");
}

void by_wide(void)
{
	FILE *fp = must_open("dst", "w");

	must(fputws(L"12345", fp) >= 0, "fputws");
	must(fclose(fp) == 0, "fclose");
}
