/*
 * share.c - calls that let another process use the descriptors of this one. Its relaxed files are
 * no longer its own from then on.
 */
#include "wrap.h"

#include "sys.h"

static void will_fork(void)
{
	ensure_started();
	engine_passes_on();
}

static void will_share(void)
{
	ensure_started();
	if (unlikely(relaxed_any()))
		engine_shares_all();
}

#define FORKS(type, name, parameters, arguments)                                                   \
	FORWARDED(type, name, parameters, arguments, will_fork())

FORKS(pid_t, fork, (void), ())
FORKS(pid_t, _Fork, (void), ())
FORKS(int, daemon, (int stay, int keep), (stay, keep))
FORKS(int, forkpty,
      (int *terminal, char *name, const struct termios *modes, const struct winsize *size),
      (terminal, name, modes, size))

/* The last three are there only with some flags (clone(2)); reading them does no harm. */
EXPORT int clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
	va_list list;
	pid_t *parent, *child;
	void *tls;

	va_start(list, argument);
	parent = va_arg(list, pid_t *);
	tls = va_arg(list, void *);
	child = va_arg(list, pid_t *);
	va_end(list);
	will_fork();
	engine_shares_numbers((unsigned)flags);
	return next.clone(run, stack, flags, argument, parent, tls, child);
}

/* A message may carry descriptors (unix(7), SCM_RIGHTS); who gets it may look at files. */
static void will_send(const struct msghdr *message)
{
	struct msghdr copy;

	ensure_started();
	if (!unlikely(relaxed_any()) || engine_passive_now())
		return;
	if (sys_peek(message, &copy, sizeof(copy)) == sizeof(copy) && copy.msg_controllen)
		engine_shares_all();
	else
		engine_settle_all();
}

#define SENDS(name)                                                                                \
	FORWARDED(ssize_t, name, (int fd, const struct msghdr *message, int flags),                \
		  (fd, message, flags), will_send(message))

#define SENDS_MANY(name)                                                                           \
	FORWARDED(int, name, (int fd, struct mmsghdr *messages, unsigned n, sendmmsg_flags flags), \
		  (fd, messages, n, flags), will_share())

SENDS(sendmsg)
SENDS_MANY(sendmmsg)
#ifdef __i386__
SENDS(__sendmsg64)
SENDS_MANY(__sendmmsg64)
#endif
