/* ring.h - a ring of io_uring(7), without liburing: requests are made one by one, or a few at a
 * time, by syscall(2), or where `ring_unseen` is set by the instruction itself. */
#ifndef RING_H
#define RING_H

#include <linux/io_uring.h>
#include <sys/mman.h>

enum { RING_ENTRIES = 8 };

static int ring_unseen;

static struct {
	int fd;
	unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
} ring;

static inline long ring_call(long number, long a, long b, long c, long d)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = 0, r9 __asm__("r9") = 0;
	long done;

	if (ring_unseen) {
		__asm__ volatile("syscall"
				 : "=a"(done)
				 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
				 : "rcx", "r11", "memory");
		return done;
	}
#endif
	return syscall(number, a, b, c, d, 0L, 0L);
}

static inline void *ring_map(size_t n, off_t what)
{
	void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, what);

	must(at != MAP_FAILED, "mmap of the ring");
	return at;
}

/* False, with errno, where io_uring is not to be had. */
static inline int ring_make(void)
{
	struct io_uring_params p = {0};
	char *sq, *cq;

	ring.fd = (int)syscall(SYS_io_uring_setup, RING_ENTRIES, &p);
	if (ring.fd < 0)
		return 0;
	sq = ring_map(p.sq_off.array + p.sq_entries * 4, IORING_OFF_SQ_RING);
	cq = ring_map(p.cq_off.cqes + p.cq_entries * sizeof *ring.cqes, IORING_OFF_CQ_RING);
	ring.sqes = ring_map(p.sq_entries * sizeof *ring.sqes, IORING_OFF_SQES);
	ring.sq_tail = (void *)(sq + p.sq_off.tail);
	ring.sq_mask = (void *)(sq + p.sq_off.ring_mask);
	ring.sq_array = (void *)(sq + p.sq_off.array);
	ring.cq_head = (void *)(cq + p.cq_off.head);
	ring.cq_tail = (void *)(cq + p.cq_off.tail);
	ring.cq_mask = (void *)(cq + p.cq_off.ring_mask);
	ring.cqes = (void *)(cq + p.cq_off.cqes);
	return 1;
}

/* Hands one request to the kernel; at most RING_ENTRIES that are not yet waited for. */
static inline void ring_submit(const struct io_uring_sqe *request)
{
	unsigned tail = *ring.sq_tail, place = tail & *ring.sq_mask;

	ring.sqes[place] = *request;
	ring.sq_array[place] = place;
	__atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
	must(ring_call(SYS_io_uring_enter, ring.fd, 1, 0, 0) == 1, "io_uring_enter");
}

/* Waits for one, whichever is done first: its result, and what it was marked with. */
static inline int ring_wait(uint64_t *mark)
{
	unsigned head = *ring.cq_head;
	struct io_uring_cqe *event = &ring.cqes[head & *ring.cq_mask];
	int result;

	while (__atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE) == head)
		must(ring_call(SYS_io_uring_enter, ring.fd, 0, 1, IORING_ENTER_GETEVENTS) == 0,
		     "io_uring_enter");
	result = event->res;
	if (mark)
		*mark = event->user_data;
	__atomic_store_n(ring.cq_head, head + 1, __ATOMIC_RELEASE);
	return result;
}

/* The result of one request, or -errno. */
static inline int ring_do(const struct io_uring_sqe *request)
{
	ring_submit(request);
	return ring_wait(NULL);
}

#endif
