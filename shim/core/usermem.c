/* usermem.c - faulting in the program's buffers by madvise(2). */
#include "usermem.h"

#include "align.h"
#include "sys.h"

#include <sys/uio.h>

_Atomic unsigned usermem_changes;

int64_t usermem_total(const struct iovec *iov, int count)
{
	int64_t n = 0;

	for (int i = 0; i < count; i++) {
		if (!usermem_spans(iov[i].iov_base, iov[i].iov_len))
			return -1;
		n += (int64_t)iov[i].iov_len;
	}
	return n;
}

static bool populate(uintptr_t from, uintptr_t to, int advice)
{
	return !sys_failed(sys_madvise((void *)from, to - from, advice));
}

static uintptr_t page_of(uintptr_t address)
{
	return address & ~(uintptr_t)(PAGE - 1);
}

static bool again(struct usermem *known, uintptr_t from, size_t n, int advice)
{
	uintptr_t to = from + n;
	unsigned changes = atomic_load_explicit(&usermem_changes, memory_order_relaxed);

	if (n < USERMEM_SMALL && from >= known->from && to <= known->to &&
	    changes == known->changes)
		return true;
	known->from = page_of(from);
	known->to = page_of(to + PAGE - 1);
	known->changes = changes;
	if (populate(known->from, known->to, advice))
		return true;
	known->to = 0;
	return false;
}

bool usermem_writable(struct usermem *known, void *buffer, size_t n)
{
	return again(known, (uintptr_t)buffer, n, MADV_POPULATE_WRITE);
}

bool usermem_readable_again(struct usermem *known, const void *buffer, size_t n)
{
	return again(known, (uintptr_t)buffer, n, MADV_POPULATE_READ);
}

bool usermem_readable(const void *buffer, size_t n)
{
	uintptr_t from = (uintptr_t)buffer, to = from + n;

	return populate(page_of(from), page_of(to + PAGE - 1), MADV_POPULATE_READ);
}
