/* early.c - a library whose constructor and destructor write a part of a file: for ends.c. Linked
 * with -z initfirst it starts before whatever was preloaded, with -z initfirst or not. */
#include "adversity.h"

void early_part(void);

/* Parts are of 3 MiB and a bit; the first one opens the file. */
void early_part(void)
{
	enum { PART = 3 * MIB + 77 };
	static int fd = -1, part;

	if (fd < 0)
		fd = create("dst.ends");
	must(lseek(fd, 0, SEEK_CUR) == (off_t)part * PART, "offset");
	write_some(fd, (uint64_t)part * PART, PART);
	part++;
}

__attribute__((constructor(101))) static void begin(void)
{
	early_part();
}

__attribute__((destructor(101))) static void end(void)
{
	early_part();
}
