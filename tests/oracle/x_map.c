/*
 * x_map.c - mappings of files.
 *
 * What lies in the last page beyond the end of a file is the kernel's affair and not the same
 * each time: accesses stop at the file's end, known from a descriptor of the same open file.
 */
#include "run.h"

#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>

struct map {
	char *at;
	size_t len;
	long long off;
	int prot;
	int description;
};

static struct map maps[MAPS];
static sigjmp_buf out_of_file;

static void on_fault(int number)
{
	siglongjmp(out_of_file, number);
}

static void unmap(struct map *m)
{
	say_result(munmap(m->at, m->len));
	memset(m, 0, sizeof(*m));
}

void unmap_all(void)
{
	for (int i = 0; i < MAPS; i++)
		if (maps[i].at) {
			quiet();
			unmap(&maps[i]);
		}
}

/* a[1]: the map; a[4]: 1 shared, 2 writable, 4 mmap64. */
void do_map(const struct op *op)
{
	struct map *m = &maps[op->a[1]];
	struct slot *s = slot_of(op->a[0]);
	int prot = PROT_READ | (op->a[4] & 2 ? PROT_WRITE : 0);
	int flags = op->a[4] & 1 ? MAP_SHARED : MAP_PRIVATE, fd = fd_of(op->a[0]);
	char *at;

	if (m->at)
		unmap(m);
	quiet();
	at = op->a[4] & 4 ? mmap64(NULL, op->a[3], prot, flags, fd, op->a[2])
			  : mmap(NULL, op->a[3], prot, flags, fd, op->a[2]);
	say_result(at == MAP_FAILED ? -1 : 0);
	if (at != MAP_FAILED)
		*m = (struct map){at, op->a[3], op->a[2], prot, s ? s->description : 0};
	say_slot(op->a[0]);
}

static size_t within(const struct map *m, const struct op *op)
{
	long long end = -1, at = m->off + op->a[2];

	for (int i = 0; i < SLOTS; i++)
		if (slots[i].fd >= 0 && slots[i].description == m->description)
			end = file_size(slots[i].fd);
	if (!m->at || op->a[2] < 0 || op->a[2] >= (long long)m->len || at >= end)
		return 0;
	end = end < m->off + (long long)m->len ? end : m->off + (long long)m->len;
	return op->a[3] < end - at ? op->a[3] : end - at;
}

static void access_map(const struct op *op, int writes)
{
	struct sigaction action = {.sa_handler = on_fault};
	const struct map *m = &maps[op->a[1]];
	size_t len = within(m, op);
	struct op out = {.a = {0, 0, 0, 0, 0, op->a[5]}};
	int fault;

	if (!len || (writes && !(m->prot & PROT_WRITE))) {
		say(" skipped");
		return;
	}
	sigaction(SIGBUS, &action, NULL);
	fault = sigsetjmp(out_of_file, 1);
	if (fault)
		say(" signal=%d", fault);
	else if (writes)
		memcpy(m->at + op->a[2], buf_out(&out, len), len);
	else
		say(" sum=%llx", buf_sum(m->at + op->a[2], len));
	signal(SIGBUS, SIG_DFL);
}

void do_mapread(const struct op *op)
{
	access_map(op, 0);
}

void do_mapwrite(const struct op *op)
{
	access_map(op, 1);
}

void do_msync(const struct op *op)
{
	const struct map *m = &maps[op->a[1]];

	say_result(m->at ? msync(m->at, m->len, op->a[4] ? MS_SYNC : MS_ASYNC) : 0);
}

void do_unmap(const struct op *op)
{
	if (maps[op->a[1]].at)
		unmap(&maps[op->a[1]]);
}
