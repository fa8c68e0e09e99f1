/* vectors.c - readv, preadv, pwritev, preadv2 and pwritev2 move right bytes to right places. */
#include "prog.h"

#include <sys/uio.h>

enum { PART = 5003 };

static unsigned char a[PART], b[3 * PART];
static struct iovec pair[2] = {{a, sizeof a}, {b, sizeof b}};

static void must_read(ssize_t n, uint64_t at)
{
	must(n == 4 * PART, "length");
	must_match(a, sizeof a, at);
	must_match(b, sizeof b, at + sizeof a);
}

int main(void)
{
	int fd = open_src(), out = create("dst");

	must_read(readv(fd, pair, 2), 0);
	must_read(readv(fd, pair, 2), 4 * PART);
	must(writev(out, pair, 2) == 4 * PART, "writev");
	must_read(preadv(fd, pair, 2, 0), 0);
	must(pwritev(out, pair, 2, 0) == 4 * PART, "pwritev");
	must(lseek(out, 0, SEEK_CUR) == 4 * PART, "offset");
	must_read(preadv2(fd, pair, 2, 8 * PART, 0), 8 * PART);
	must(pwritev2(out, pair, 2, 8 * PART, 0) == 4 * PART, "pwritev2");
	must_read(preadv2(fd, pair, 2, -1, 0), 8 * PART);
	must(lseek(out, 4 * PART, SEEK_SET) == 4 * PART, "lseek");
	must_read(preadv(fd, pair, 2, 4 * PART), 4 * PART);
	must(pwritev2(out, pair, 2, -1, 0) == 4 * PART, "pwritev2 at the offset");
	must_close(fd);
	must_close(out);
	must_hold("dst", 12 * PART);
	return 0;
}
