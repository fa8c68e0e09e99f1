/* fake_async.c - Linux native AIO on the fake kernel. */
#include "fake_sys.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdlib.h>

enum { CONTEXTS = 4096, REQUESTS = 64 };

static struct flight {
	unsigned long context;
	struct iocb request;
	struct fake_description *description; /* a request keeps its file open */
	bool done;                            /* its bytes are taken */
	int64_t result;
} flights[REQUESTS];
static int flying;

/* A context is of the process that made it. */
static long owners[CONTEXTS + 1];
static unsigned room[CONTEXTS + 1];
static unsigned long made;

long sys_aio_setup(unsigned requests, unsigned long *context)
{
	if (!fake_begin(CALL_aio_setup))
		return fake_result;
	ck_assert_uint_eq(*context, 0);
	ck_assert_uint_lt(made, CONTEXTS);
	*context = ++made;
	owners[made] = fake.pid;
	room[made] = requests;
	return 0;
}

static bool is_mine(unsigned long context)
{
	return context && context <= made && owners[context] == fake.pid;
}

static unsigned count(unsigned long context)
{
	unsigned n = 0;

	for (int i = 0; i < flying; i++)
		n += flights[i].context == context;
	return n;
}

static void take(struct flight *flight)
{
	flight->result = fake_move(flight->description, (char *)(uintptr_t)flight->request.aio_buf,
				   NULL, flight->request.aio_nbytes, flight->request.aio_offset);
	flight->done = true;
}

long sys_aio_submit(unsigned long context, struct iocb *request)
{
	struct fake_description *description =
		fake_begin_on(CALL_aio_submit, (int)request->aio_fildes, request->aio_offset,
			      (int64_t)request->aio_nbytes, 0);
	struct flight *flight = &flights[flying];

	if (!description)
		return fake_result;
	if (!is_mine(context) || request->aio_lio_opcode != IOCB_CMD_PREAD)
		return -EINVAL;
	if (count(context) == room[context])
		return -EAGAIN;
	ck_assert_int_lt(flying, REQUESTS);
	*flight = (struct flight){
		.context = context, .request = *request, .description = description};
	description->refs++;
	flying++;
	if (!fake.aio_late)
		take(flight);
	return 1;
}

static int next_of(unsigned long context)
{
	int found = -1;

	for (int i = 0; i < flying; i++)
		if (flights[i].context == context && (found < 0 || !fake.aio_in_order))
			found = i;
	return found;
}

static void land(int i)
{
	struct fake_description *description = flights[i].description;

	for (flying--; i < flying; i++)
		flights[i] = flights[i + 1];
	if (!--description->refs)
		free(description);
}

long sys_aio_wait(unsigned long context, struct io_event *event)
{
	int i = next_of(context);

	if (!fake_begin(CALL_aio_wait))
		return fake_result;
	if (!is_mine(context))
		return -EINVAL;
	ck_assert_msg(i >= 0, "waits for ever: nothing is in flight");
	if (!flights[i].done)
		take(&flights[i]);
	*event = (struct io_event){.data = flights[i].request.aio_data, .res = flights[i].result};
	if (!fake_begin(CALL_aio_read))
		event->res = fake_result;
	else if (event->res > 0 && fake_most < (size_t)event->res)
		event->res = (int64_t)fake_most;
	land(i);
	return 1;
}

bool fake_flies_into(const char *memory, size_t n)
{
	for (int i = 0; i < flying; i++) {
		const char *to = (const char *)(uintptr_t)flights[i].request.aio_buf;

		if (owners[flights[i].context] == fake.pid && to < memory + n &&
		    memory < to + flights[i].request.aio_nbytes)
			return true;
	}
	return false;
}
