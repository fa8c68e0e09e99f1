/* faulty.c - a preload library with the fault that DIRECT_FAULT names, each one that a library
 * which reads and writes beside the program's descriptor could have: the programs here must catch
 * it.
 *
 *   none            passes everything on
 *   scribbles       a short read writes behind its count
 *   twice           a transfer moves the offset twice
 *   unreserved      a read takes its bytes first and moves the offset then
 *   all_or_nothing  a transfer that meets unmapped memory fails as a whole
 *   low_twin        opens a second description on the lowest number
 *   leaked_twin     opens it on a high number, for programs started later too
 *   kept_twin       never closes it
 *   closed_twin     closes it between reads
 *   trusted_twin    reads from its number, whatever is there by now
 *   own_offset      keeps an offset for each number, whatever file is there by now
 *   raw_lease       asks for leases, and lets their signal come
 *   memory          takes 4 MiB for each descriptor
 *   kept_memory     takes 256 KiB for each, and never gives it back
 *   limit_refused   fails where a part would fit under RLIMIT_FSIZE
 *   full_ignored    takes a short write for a whole one
 *   append_placed   writes at the end that it saw, instead of appending
 *   whole_pages     writes the first and last page whole, with what it read there before
 *   error_is_end    makes an I/O error the end of the file */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, TWIN = 700, NUMBERS = 1024, LARGE = 64 << 10 };

static const char *fault;

static int is(const char *name)
{
	if (!fault && !(fault = getenv("DIRECT_FAULT")))
		fault = "none";
	return strcmp(fault, name) == 0;
}

static int regular(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode);
}

static int reopen(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return syscall(SYS_openat, AT_FDCWD, path, flags);
}

static void open_twin(int fd)
{
	static int low;
	int twin;

	if (is("low_twin") && !low)
		low = reopen(fd, O_RDONLY | O_CLOEXEC);
	if (is("closed_twin"))
		syscall(SYS_close, reopen(fd, O_RDONLY));
	if ((!is("leaked_twin") && !is("kept_twin") && !is("trusted_twin")) ||
	    fcntl(TWIN, F_GETFD) >= 0)
		return;
	twin = reopen(fd, O_RDONLY);
	dup3(twin, TWIN, is("leaked_twin") ? 0 : O_CLOEXEC);
	syscall(SYS_close, twin);
}

static void ask_lease(int fd)
{
	int twin = reopen(fd, O_RDONLY | O_CLOEXEC);

	if (fcntl(twin, F_SETLEASE, F_RDLCK) == 0)
		usleep(100);
	syscall(SYS_close, twin);
}

static void take_memory(int fd)
{
	static char *of[NUMBERS];
	size_t len = is("memory") ? 4 << 20 : 256 << 10;

	if ((!is("memory") && !is("kept_memory")) || fd >= NUMBERS || of[fd])
		return;
	of[fd] = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(of[fd], 1, len);
}

static ssize_t read_own_offset(int fd, void *p, size_t len)
{
	static off_t of[NUMBERS];
	ssize_t n = pread(fd, p, len, of[fd % NUMBERS]);

	of[fd % NUMBERS] += n > 0 ? n : 0;
	return n;
}

static ssize_t read_elsewhere(int fd, void *p, size_t len)
{
	int from = is("trusted_twin") ? TWIN : fd;
	off_t at = lseek(fd, 0, SEEK_CUR);
	ssize_t n = pread(from, p, len, at);

	if (is("unreserved"))
		usleep(200);
	if (n > 0)
		lseek(fd, n, SEEK_CUR);
	return n;
}

static ssize_t read_result(int fd, char *p, size_t len, ssize_t n, off_t size)
{
	if (is("scribbles") && n >= 0 && (size_t)n < len)
		p[n] = 0;
	if (is("twice") && n > 0)
		lseek(fd, n, SEEK_CUR);
	if (is("error_is_end") && n < 0 && errno == EIO)
		return 0;
	if (is("all_or_nothing") && n > 0 && (size_t)n < len && lseek(fd, 0, SEEK_CUR) < size) {
		lseek(fd, -n, SEEK_CUR);
		errno = EFAULT;
		return -1;
	}
	return n;
}

ssize_t read(int fd, void *p, size_t len)
{
	struct stat st;

	if (!regular(fd, &st))
		return syscall(SYS_read, fd, p, len);
	open_twin(fd);
	take_memory(fd);
	if (is("raw_lease"))
		ask_lease(fd);
	if (is("own_offset"))
		return read_own_offset(fd, p, len);
	if (is("unreserved") || is("trusted_twin"))
		return read_elsewhere(fd, p, len);
	return read_result(fd, p, len, syscall(SYS_read, fd, p, len), st.st_size);
}

static int over_limit(int fd, size_t len)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	return lseek(fd, 0, SEEK_CUR) + len > limit.rlim_cur;
}

/* The pages at both ends are read, changed in memory and written back whole. */
static ssize_t write_pages(int fd, const char *p, size_t len)
{
	off_t at = lseek(fd, 0, SEEK_CUR), start = at / PAGE * PAGE;
	size_t whole = (at + len + PAGE - 1) / PAGE * PAGE - start;
	char *buffer = calloc(1, whole);
	int twin = reopen(fd, O_RDWR);
	struct stat st;

	fstat(fd, &st);
	pread(twin, buffer, whole, start);
	memcpy(buffer + (at - start), p, len);
	usleep(500);
	pwrite(twin, buffer, start + (off_t)whole > st.st_size ? (size_t)(at + len - start) : whole,
	       start);
	syscall(SYS_close, twin);
	free(buffer);
	return lseek(fd, len, SEEK_CUR) < 0 ? -1 : (ssize_t)len;
}

static ssize_t append_placed(int fd, const void *p, size_t len)
{
	int twin = reopen(fd, O_WRONLY);
	off_t end = lseek(fd, 0, SEEK_END);
	ssize_t n;

	usleep(500);
	n = pwrite(twin, p, len, end);
	syscall(SYS_close, twin);
	return n;
}

ssize_t write(int fd, const void *p, size_t len)
{
	struct stat st;
	ssize_t n;

	if (!regular(fd, &st) || len < LARGE)
		return syscall(SYS_write, fd, p, len);
	if (is("append_placed") && fcntl(fd, F_GETFL) & O_APPEND)
		return append_placed(fd, p, len);
	if (is("whole_pages"))
		return write_pages(fd, p, len);
	if (is("limit_refused") && over_limit(fd, len)) {
		errno = EFBIG;
		return -1;
	}
	n = syscall(SYS_write, fd, p, len);
	if (is("twice") && n > 0)
		lseek(fd, n, SEEK_CUR);
	if (is("full_ignored") && n > 0)
		return len;
	if (is("all_or_nothing") && n > 0 && (size_t)n < len) {
		errno = EFAULT;
		return -1;
	}
	return n;
}
