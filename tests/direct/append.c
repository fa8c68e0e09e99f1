/* append.c - two processes append large records of odd lengths: every record is whole, none lost.
 */
#include "../progs/prog.h"

enum { RECORDS = 8, LEN = (1 << 20) + 4096, ODD = 77 };

static unsigned char record[LEN + ODD];

static size_t length(int who)
{
	return LEN + (who ? ODD : 0);
}

static void append(int who)
{
	int fd = open("file", O_WRONLY | O_APPEND);

	must(fd >= 0, "open");
	memset(record, 'A' + who, sizeof record);
	for (int i = 0; i < RECORDS; i++)
		must(write(fd, record, length(who)) == (ssize_t)length(who), "write");
	_exit(0);
}

static void check_record(int fd)
{
	unsigned char first;
	size_t len;

	must(read(fd, &first, 1) == 1 && (first == 'A' || first == 'B'), "no record");
	len = length(first - 'A') - 1;
	must(read(fd, record, len) == (ssize_t)len, "the last record is short");
	for (size_t i = 0; i < len; i++)
		must(record[i] == first, "a record is torn");
}

int main(void)
{
	int fd = create("file");
	char more;
	pid_t pid[2];

	for (int i = 0; i < 2; i++)
		if ((pid[i] = fork()) == 0)
			append(i);
	must_reap(pid[0]);
	must_reap(pid[1]);
	for (int i = 0; i < RECORDS * 2; i++)
		check_record(fd);
	must(read(fd, &more, 1) == 0, "more than was written");
	must_close(fd);
	return 0;
}
