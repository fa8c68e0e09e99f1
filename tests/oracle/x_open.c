/* x_open.c - opening, closing and duplicating. */
#include "run.h"

#include <stdlib.h>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

enum { OPEN, OPEN64, OPENAT, OPENAT64, CREAT, CREAT64, OPEN_ABSOLUTE, OPENAT_DIR, BY_SYSCALL };

static int open_at_directory(const char *path, int flags, int mode)
{
	int dir = raw_open(".", O_RDONLY | O_DIRECTORY, 0);
	int fd;

	raw_call(SYS_chdir, (long)"/", 0, 0, 0, 0, 0);
	fd = openat(dir, path, flags, mode);
	raw_call(SYS_fchdir, dir, 0, 0, 0, 0, 0);
	raw_close(dir);
	return fd;
}

static int open_by(int how, long long file, int flags, int mode)
{
	const char *path = file_path(file, how == OPEN_ABSOLUTE && file < FILES);

	switch (how) {
	case OPEN64:
		return open64(path, flags, mode);
	case OPENAT:
		return openat(AT_FDCWD, path, flags, mode);
	case OPENAT64:
		return openat64(AT_FDCWD, path, flags, mode);
	case CREAT:
		return creat(path, mode);
	case CREAT64:
		return creat64(path, mode);
	case OPENAT_DIR:
		return open_at_directory(path, flags, mode);
	case BY_SYSCALL:
		return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	default:
		return open(path, flags, mode);
	}
}

static void make_room(struct slot *s)
{
	if (s->fd >= 0) {
		close_slot(s);
		say(" then");
	}
	quiet();
}

/* O_DIRECT is asked of files only: FUSE refuses it of directories, which is no matter of data. */
void do_open(const struct op *op)
{
	struct slot *s = slot_of(op->a[0]);
	int flags = op->a[1] == FILE_DIRECTORY ? op->a[2] & ~O_DIRECT : op->a[2];
	int how = op->a[4], fd;

	make_room(s);
	fd = open_by(how, op->a[1], honest_flags(flags), op->a[3]);
	say_result(fd);
	slot_set(s, fd, how != CREAT && how != CREAT64 && flags & O_DIRECT);
	say_slot(op->a[0]);
}

/* mkstemp's name is random: the file is renamed to one of ours and the name kept out. */
void do_mkstemp(const struct op *op)
{
	char template[] = "tXXXXXX";
	struct slot *s = slot_of(op->a[0]);
	int fd;

	make_room(s);
	fd = op->a[4] == 0   ? mkstemp(template)
	     : op->a[4] == 1 ? mkstemp64(template)
			     : mkostemp(template, O_APPEND);
	say_result(fd);
	slot_set(s, fd, 0);
	quiet();
	say_result(rename(template, file_path(op->a[1], 0)));
	say_slot(op->a[0]);
}

static void close_by_number(struct slot *s)
{
	int fd = s->fd;

	slot_set(s, -1, 0);
	quiet();
	say_result(syscall(SYS_close, fd));
	say_descriptor(fd, 0);
}

void do_close(const struct op *op)
{
	struct slot *s = slot_of(op->a[0]);

	if (s && op->a[1] && !s->fp)
		close_by_number(s);
	else if (s)
		close_slot(s);
	else
		say_result(close(fd_of(op->a[0])));
}

static int streams_between(unsigned int low, unsigned int high)
{
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].fp && (unsigned int)slots[i].fd >= low &&
		    (unsigned int)slots[i].fd <= high)
			return 1;
	return 0;
}

static void forget_between(unsigned int low, unsigned int high)
{
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].fd >= 0 && (unsigned int)slots[i].fd >= low &&
		    (unsigned int)slots[i].fd <= high) {
			int fd = slots[i].fd;

			slot_set(&slots[i], -1, 0);
			say_descriptor(fd, 0);
		}
}

/* a[1] descriptors from the slot's on; -1: all there are. Streams are spared. */
void do_closerange(const struct op *op)
{
	unsigned int low = fd_of(op->a[0]), high = op->a[1] < 0 ? ~0U : low + op->a[1];
	int flags = op->a[4];

	if ((int)low < 3 || streams_between(low, high)) {
		say(" skipped");
		return;
	}
	if (op->a[2])
		say_result(syscall(SYS_close_range, low, high, flags));
	else
		say_result(close_range(low, high, flags));
	if (flags == 0)
		forget_between(low, high);
	else
		say_slot(op->a[0]);
}

static void say_both(const struct op *op)
{
	say_slot(op->a[0]);
	say_slot(op->a[1]);
}

/* a[4] 0: dup, 1: F_DUPFD, 2: F_DUPFD_CLOEXEC, 3: dup by number; a[2]: the least number wanted. */
void do_dup(const struct op *op)
{
	struct slot *from = slot_of(op->a[0]), *to = slot_of(op->a[1]), none = {.fd = -1};
	int fd;

	if (from == to) {
		say(" skipped");
		return;
	}
	make_room(to);
	if (op->a[4] == 0)
		fd = dup(fd_of(op->a[0]));
	else if (op->a[4] == 3)
		fd = syscall(SYS_dup, fd_of(op->a[0]));
	else
		fd = fcntl(fd_of(op->a[0]), op->a[4] == 1 ? F_DUPFD : F_DUPFD_CLOEXEC,
			   (int)op->a[2]);
	say_result(fd);
	slot_share(to, fd, from ? from : &none);
	say_both(op);
}

/* Onto the number of a[1]'s slot (closing it unseen), or where a[2] is set onto that number. */
void do_dup2(const struct op *op)
{
	struct slot *from = slot_of(op->a[0]), *to = slot_of(op->a[1]), none = {.fd = -1};
	int target = op->a[2] ? op->a[2] : to->fd, fd;

	if (to->fp) {
		say(" skipped");
		return;
	}
	if (op->a[2])
		make_room(to);
	fd = op->a[4] == 0   ? dup2(fd_of(op->a[0]), target)
	     : op->a[4] == 3 ? (int)syscall(SYS_dup3, fd_of(op->a[0]), target, O_CLOEXEC)
			     : dup3(fd_of(op->a[0]), target, op->a[4] == 1 ? 0 : O_CLOEXEC);
	say_result(fd);
	if (fd >= 0)
		slot_share(to, fd, from ? from : &none);
	say_both(op);
}

static int has_stream(const struct slot *s)
{
	for (int i = 0; s && i < SLOTS; i++)
		if (slots[i].fp && slots[i].description == s->description)
			return 1;
	return 0;
}

/* a[2]: the status flags wanted. A child leaves O_DIRECT alone: its parent keeps the books. */
void do_setfl(const struct op *op)
{
	struct slot *s = slot_of(op->a[0]);
	int had = asked_direct(s) ? O_DIRECT : 0;
	int flags = in_child ? (op->a[2] & ~O_DIRECT) | had : op->a[2], ret;

	if (has_stream(s) && direct_is != DIRECT_STRICT)
		flags &= ~O_DIRECT;
	ret = fcntl(fd_of(op->a[0]), F_SETFL, honest_flags(flags));
	say_result(ret);
	if (s && ret == 0)
		ask_direct(s, !!(flags & O_DIRECT));
	say_slot(op->a[0]);
}
