/* signals.c - which of the signals that wait end the process. */
#include "signals.h"

#include "sys.h"

#include <signal.h>

#define BIT(signal) (1ULL << ((signal)-1))

/* signal(7), "Standard signals": by default these dump core, stop or continue, or do nothing. */
static const uint64_t others =
	BIT(SIGQUIT) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGABRT) | BIT(SIGBUS) | BIT(SIGFPE) |
	BIT(SIGSEGV) | BIT(SIGSYS) | BIT(SIGXCPU) | BIT(SIGXFSZ) | BIT(SIGSTOP) | BIT(SIGTSTP) |
	BIT(SIGTTIN) | BIT(SIGTTOU) | BIT(SIGCONT) | BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH);

static void let_in(int signal)
{
	uint64_t held, without;

	if (sys_failed(sys_block_signals(&held)))
		return;
	without = held & ~BIT(signal);
	sys_restore_signals(&without);
	sys_restore_signals(&held);
}

void signals_let_end(const uint64_t *before)
{
	uint64_t waiting = 0;

	sys_waiting_signals(&waiting);
	waiting &= ~(*before | others);
	for (int signal = 1; waiting; signal++, waiting >>= 1)
		if (waiting & 1 && sys_signal_is_default(signal) > 0)
			let_in(signal);
}
