/* relaxed_hold.c - whose a relaxed file is, and who works on it. */
#include "relaxed_file.h"

#include "process.h"
#include "sys.h"

enum {
	NAPS = 20000,   /* at most a second or two */
	NAP_NS = 50000, /* until another thread is done */
};

bool relaxed_is_mine(struct relaxed *relaxed)
{
	uintptr_t user = atomic_load_explicit(&relaxed->user, memory_order_relaxed);

	return user == process_thread() ||
	       (!user && atomic_compare_exchange_strong_explicit(
				 &relaxed->user, &user, process_thread(), memory_order_relaxed,
				 memory_order_relaxed));
}

/* Takes what nobody holds. Returns who does, which is this thread where it did before. */
static uintptr_t try_hold(struct relaxed *relaxed)
{
	uintptr_t holder = 0;

	/* Acquire pairs with relaxed_release(). */
	atomic_compare_exchange_strong_explicit(&relaxed->holder, &holder, process_thread(),
						memory_order_acquire, memory_order_relaxed);
	return holder;
}

bool relaxed_hold(struct relaxed *relaxed, bool *nested)
{
	for (int i = 0; i < NAPS; i++) {
		uintptr_t holder = try_hold(relaxed);

		*nested = holder == process_thread();
		if (!holder || *nested)
			return true;
		sys_sleep(NAP_NS);
	}
	return false;
}

struct relaxed *relaxed_take(struct file *file, int fd)
{
	struct relaxed *relaxed = relaxed_of(file);

	if (relaxed && relaxed_is_mine(relaxed) && !try_hold(relaxed)) {
		if (relaxed->file == file)
			return relaxed;
		relaxed_release(relaxed);
	}
	relaxed_settle(file, fd);
	return NULL;
}

ssize_t relaxed_resume(struct relaxed *relaxed, int64_t end, ssize_t n)
{
	bool complete = relaxed->broken_at == end;

	atomic_store_explicit(&relaxed->broken, false, memory_order_relaxed);
	relaxed_give_back(relaxed, relaxed_kind(relaxed));
	relaxed_release(relaxed);
	return complete ? n : FORWARD;
}

ssize_t relaxed_forward(struct relaxed *relaxed, int fd)
{
	if (relaxed_kind(relaxed) != RELAXED_NOT)
		relaxed_settle_held(relaxed, fd);
	if (relaxed_is_broken(relaxed))
		return relaxed_resume(relaxed, -1, 0);
	relaxed_release(relaxed);
	return FORWARD;
}
