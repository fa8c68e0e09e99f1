/* x_file.c - positions, sizes, advice, names and limits. */
#include "run.h"

#include <sys/resource.h>

/*
 * Where data and holes begin depends on write-back, on large folios and, in preallocated space, on
 * what is cached: a search within the file is told only as that, and the position is set after it.
 */
void do_lseek(const struct op *op)
{
	int fd = fd_of(op->a[0]), whence = op->a[1];
	int searches = whence == SEEK_DATA || whence == SEEK_HOLE;
	long long at;

	/* btrfs searches from a negative offset, and its answer too depends on write-back. */
	if (searches && op->a[2] < 0 && fd >= 0) {
		say(" skipped");
		return;
	}
	at = op->a[4] ? lseek64(fd, op->a[2], whence) : lseek(fd, op->a[2], whence);
	if (searches && (at >= 0 || (errno == ENXIO && op->a[2] < file_size(fd)))) {
		say(" somewhere");
		errno = 0;
		at = lseek(fd, op->a[2], SEEK_SET);
	}
	say_result(at);
	say_slot(op->a[0]);
}

void do_ftruncate(const struct op *op)
{
	int fd = fd_of(op->a[0]);

	say_result(op->a[4] ? ftruncate64(fd, op->a[2]) : ftruncate(fd, op->a[2]));
	say_slot(op->a[0]);
}

void do_truncate(const struct op *op)
{
	const char *path = file_path(op->a[1], 0);

	say_result(op->a[4] ? truncate64(path, op->a[2]) : truncate(path, op->a[2]));
}

/* a[1]: fallocate's mode, or -1 for posix_fallocate. */
void do_fallocate(const struct op *op)
{
	int fd = fd_of(op->a[0]);

	if (op->a[1] < 0)
		say_result(posix_fallocate(fd, op->a[2], op->a[3]));
	else
		say_result(fallocate(fd, op->a[1], op->a[2], op->a[3]));
	say_slot(op->a[0]);
}

void do_sync(const struct op *op)
{
	int fd = fd_of(op->a[0]);

	if (op->a[1] == 0)
		say_result(fsync(fd));
	else if (op->a[1] == 1)
		say_result(fdatasync(fd));
	else
		say_result(sync_file_range(fd, op->a[2], op->a[3], op->a[4]));
	say_slot(op->a[0]);
}

/* a[1]: an advice, or -1 for readahead. */
void do_advise(const struct op *op)
{
	int fd = fd_of(op->a[0]);

	if (op->a[1] < 0)
		say_result(readahead(fd, op->a[2], op->a[3]));
	else if (op->a[4])
		say_result(posix_fadvise64(fd, op->a[2], op->a[3], op->a[1]));
	else
		say_result(posix_fadvise(fd, op->a[2], op->a[3], op->a[1]));
	say_slot(op->a[0]);
}

void do_fstat(const struct op *op)
{
	struct stat st = {0};

	say_result(op->a[4] ? stat(file_path(op->a[1], 0), &st) : fstat(fd_of(op->a[0]), &st));
	say(" size=%lld mode=%o", (long long)st.st_size, st.st_mode);
}

void do_rename(const struct op *op)
{
	char from[64];

	snprintf(from, sizeof(from), "%s", file_path(op->a[0], 0));
	say_result(rename(from, file_path(op->a[1], 0)));
}

void do_link(const struct op *op)
{
	char from[64];

	snprintf(from, sizeof(from), "%s", file_path(op->a[0], 0));
	say_result(link(from, file_path(op->a[1], 0)));
}

void do_unlink(const struct op *op)
{
	say_result(unlink(file_path(op->a[1], 0)));
}

/* a[2]: the most bytes a file may have; -1: any number. */
void do_rlimit(const struct op *op)
{
	struct rlimit64 limit = {.rlim_cur = op->a[2], .rlim_max = RLIM64_INFINITY};

	settle();
	size_limited = op->a[2] != -1;
	say(" %ld", raw_call(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)&limit, 0, 0, 0));
}

/*
 * Through a description without O_DIRECT where the slot has it: a direct read fails (EIO) where a
 * preallocation reserved space that nothing was written to, on ext4 and XFS.
 */
void do_peek(const struct op *op)
{
	int fd = fd_of(op->a[0]), other = -1;
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && asked_direct(slot_of(op->a[0])) &&
	    (raw_fcntl(fd, F_GETFL, NULL) & O_ACCMODE) != O_WRONLY)
		other = raw_open(path, O_RDONLY, 0);
	say_contents(other < 0 ? fd : other);
	if (other >= 0)
		raw_close(other);
	say_slot(op->a[0]);
}

/* The end of a scene: everything closed, said and removed. */
void do_reset(const struct op *op)
{
	do_rlimit(&(struct op){.a = {0, 0, -1}});
	unmap_all();
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].fd >= 0 || slots[i].fp)
			close_slot(&slots[i]);
	locks_used = 0;
	say("\n");
	say_files();
	for (int file = 0; file < FILES; file++)
		do_unlink(&(struct op){.a = {0, file}});
	(void)op;
}
