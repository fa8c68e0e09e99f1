/* fake_lease.c - leases, locks, signals and writable mappings of the fake kernel. */
#include "fake_sys.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

static siginfo_t pending; /* si_signo 0 for none */
static uint64_t blocked;

/* What has to do with a file that is open for writing, or mapped so (fs/locks.c). */
bool fake_is_written(const struct fake_file *file)
{
	for (int fd = 0; fd < FAKE_FDS; fd++)
		if (fake.fd[fd] && fake.fd[fd]->file == file &&
		    (fake.fd[fd]->flags & O_ACCMODE) != O_RDONLY)
			return true;
	return file->writing_maps > 0;
}

void fake_map_for_writing(struct fake_file *file)
{
	file->writing_maps++;
	file->map_stamped = false;
}

/* Only the first store through a page that is not dirty is seen by the kernel. */
void fake_store_through(struct fake_file *file, int64_t at, unsigned char byte)
{
	ck_assert_int_gt(file->writing_maps, 0);
	if (!file->map_stamped)
		fake_stamp(file);
	file->map_stamped = true;
	file->data[at] = byte;
	pages_bring_in(file, at, at + 1, DIRTY);
}

void fake_unmap_for_writing(struct fake_file *file)
{
	file->writing_maps--;
}

static bool is_blocked(int signal)
{
	return blocked & 1ULL << (signal - 1);
}

static void deliver(void)
{
	if (!pending.si_signo || is_blocked(pending.si_signo))
		return;
	fake.signals++;
	pending.si_signo = 0;
}

void fake_send_signal(int signal)
{
	pending = (siginfo_t){.si_signo = signal, .si_code = SI_USER};
	deliver();
}

bool fake_signal_pends(void)
{
	return pending.si_signo;
}

/* Somebody has to wait: who holds the lease is told, by SIGIO if it set no other signal. */
static void break_lease(struct fake_file *file)
{
	int signal = fake.fd[file->leased]->lease_signal;

	ck_assert_msg(signal, "the program would die of SIGIO");
	pending = (siginfo_t){.si_signo = signal, .si_code = POLL_MSG};
	pending.si_fd = file->leased;
	deliver();
}

void fake_open_elsewhere(struct fake_file *file)
{
	if (!file->leased) {
		fake_open(file, O_WRONLY);
		return;
	}
	file->lease_waiter = O_WRONLY;
	break_lease(file);
}

void fake_end_lease(struct fake_file *file)
{
	file->leased = 0;
	if (file->lease_waiter)
		fake_open(file, file->lease_waiter);
	file->lease_waiter = 0;
}

long sys_lease(int fd, int type)
{
	struct fake_description *description = fake_begin_on(CALL_lease, fd, 0, 0, type);

	if (!description)
		return fake_result;
	if (fake.euid && (uint32_t)fake.euid != description->file->uid)
		return -EACCES;
	if (type == F_RDLCK && fake_is_written(description->file))
		return -EAGAIN;
	if (type == F_RDLCK)
		description->file->leased = fd;
	else if (description->file->leased == fd)
		fake_end_lease(description->file);
	else
		return -EAGAIN;
	return 0;
}

long sys_lease_signal(int fd, int signal)
{
	struct fake_description *description = fake_begin_on(CALL_lease_signal, fd, 0, 0, signal);

	if (!description)
		return fake_result;
	ck_assert_msg(description->hidden, "a description of the program's got a signal");
	description->lease_signal = signal;
	return 0;
}

long sys_lock_on(int fd)
{
	struct fake_description *description = fake_begin_on(CALL_lock_on, fd, 0, 0, 0);

	if (!description)
		return fake_result;
	return description->file->locked ? F_WRLCK : F_UNLCK;
}

long sys_block_signal(int signal, uint64_t *old)
{
	if (!fake_begin(CALL_signal))
		return fake_result;
	*old = blocked;
	blocked |= 1ULL << (signal - 1);
	return 0;
}

long sys_block_signals(uint64_t *old)
{
	if (!fake_begin(CALL_signal))
		return fake_result;
	*old = blocked;
	blocked = ~0ULL;
	return 0;
}

void sys_restore_signals(const uint64_t *old)
{
	fake_begin(CALL_signal);
	blocked = *old;
	deliver();
}

long sys_waiting_signals(uint64_t *mask)
{
	if (!fake_begin(CALL_signal))
		return fake_result;
	*mask = pending.si_signo ? 1ULL << (pending.si_signo - 1) : 0;
	return 0;
}

long sys_signal_is_default(int signal)
{
	return fake_begin(CALL_signal) ? signal == fake.deadly : fake_result;
}

long sys_take_signal(int signal, siginfo_t *info)
{
	if (!fake_begin(CALL_signal))
		return fake_result;
	if (pending.si_signo != signal)
		return -EAGAIN;
	*info = pending;
	pending.si_signo = 0;
	return signal;
}

long sys_send_signal(int signal, siginfo_t *info)
{
	if (!fake_begin(CALL_signal))
		return fake_result;
	ck_assert_int_eq(info->si_signo, signal);
	pending = *info;
	deliver();
	return 0;
}
