/* fake_sweep.c - which calls fail, one after the other. */
#include "fake_sweep.h"

#include "fake_sys.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 4096, CUT = 8192 };

static const long results[] = {-EIO, -EINTR, -ENOSPC, -EAGAIN, -ENOMEM, -EPERM, -ENOSYS, 1, CUT};
enum { RESULTS = sizeof(results) / sizeof(results[0]) };

/* One call that can fail, of the run without a fault. */
struct call {
	enum fake_call call;
	bool programs;
};

/* Shared with the process of the run. */
static struct shared {
	unsigned long calls;
	struct call call[MOST];
} * seen;

/* What fails: that call, all of its kind from then on, or the program's next transfer as well. */
enum extent { ALONE, STAYS, PROGRAMS_TOO, EXTENTS };

static struct fault {
	unsigned long nth; /* 0 for none */
	long result;
	enum extent extent;
	enum fake_call kind;
} fault;

static unsigned long made;
static long told;

static bool is_transfer(enum fake_call call)
{
	return (call >= CALL_read && call <= CALL_pwritev2) || call == CALL_aio_read;
}

/* It stands for one that the program made: not by a twin of ours, but for unaligned.h's. */
static bool is_programs(enum fake_call call, const struct fake_description *on)
{
	return is_transfer(call) && on && !strncmp(on->file->path, "/data/", 6) &&
	       !(on->hidden && on->flags & O_DIRECT);
}

static bool can_fail(enum fake_call call)
{
	switch (call) {
	case CALL_getpid:
	case CALL_geteuid:
	case CALL_sleep:
	case CALL_clock:
	case CALL_signal:
	case CALL_getflags:
		return false;
	case CALL_lseek:
		return fake.step[fake.steps - 1].advice > SEEK_END; /* SEEK_DATA, SEEK_HOLE */
	default:
		return true;
	}
}

static void note(enum fake_call call, bool programs)
{
	ck_assert_uint_lt(seen->calls, MOST);
	seen->call[seen->calls++] = (struct call){call, programs};
}

static bool is_hit(enum fake_call call, bool programs)
{
	if (can_fail(call) && ++made == fault.nth)
		return true;
	if (!fault.nth || made <= fault.nth)
		return false;
	if (fault.extent == PROGRAMS_TOO && programs) {
		fault.extent = ALONE;
		return true;
	}
	return fault.extent == STAYS && call == fault.kind && !programs;
}

static bool fails(enum fake_call call, const struct fake_description *on, long *result)
{
	bool programs = is_programs(call, on);

	if (!fault.nth && can_fail(call))
		note(call, programs);
	if (!is_hit(call, programs))
		return false;
	if (programs)
		told = fault.result;
	*result = fault.result;
	return true;
}

void sweep_step(void)
{
	told = 0;
}

long sweep_told(void)
{
	return told;
}

/* Returns whether the program saw what it must. */
static bool run(void (*program)(void))
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child) {
		fake.fails = fails;
		program();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status == 0;
}

/* No call is cut short or interrupted for ever. */
static bool can_stay(const struct call *call, long result)
{
	return result < 0 && result != -EINTR && !call->programs;
}

static void run_with(void (*program)(void), unsigned long nth, long result, enum extent extent)
{
	static const char *const extents[] = {"", ", and so do all of its kind that follow",
					      ", and so does the program's next transfer"};
	const struct call *call = &seen->call[nth - 1];

	if (result > 0 && !is_transfer(call->call))
		return;
	if (extent == STAYS && !can_stay(call, result))
		return;
	fault = (struct fault){nth, result, extent, call->call};
	if (run(program))
		return;
	fprintf(stderr, "call %lu, of kind %d, gives %ld%s\n", nth, call->call, result,
		extents[extent]);
	ck_abort_msg("see standard error");
}

void sweep(void (*program)(void), unsigned long least)
{
	const char *scope = getenv("SCOPE");
	bool all = scope && !strcmp(scope, "all");

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(seen, MAP_FAILED);
	ck_assert_msg(run(program), "without a fault");
	ck_assert_uint_ge(seen->calls, least);
	for (unsigned long nth = 1; nth <= seen->calls; nth++)
		for (unsigned long i = 0; i < RESULTS * EXTENTS; i++)
			if (all || i == nth % (RESULTS * EXTENTS))
				run_with(program, nth, results[i / EXTENTS], i % EXTENTS);
}
