/* append.c - two O_APPEND descriptors write in turn: every record is there, in order. */
#include "prog.h"

enum { RECORD = 12347, RECORDS = 400 };

int main(void)
{
	int one = open("dst", O_WRONLY | O_CREAT | O_APPEND, ANY_MODE);
	int two = open("dst", O_WRONLY | O_APPEND);

	must(one >= 0 && two >= 0, "open");
	for (uint64_t i = 0; i < RECORDS; i++)
		write_some(i % 2 ? one : two, i * RECORD, RECORD);
	must_close(one);
	must_close(two);
	must_hold("dst", RECORD * RECORDS);
	return 0;
}
