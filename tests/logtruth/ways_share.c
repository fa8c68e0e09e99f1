/* ways_share.c - by descriptors that are copied, shared, handed on, and closed in ways of all
 * kinds. */
#include "ways.h"

#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static void read_more(int fd)
{
	must_move(read(fd, way_buffer, SOME), SOME, "read");
}

void by_dup(void)
{
	int fd = open_src(), copy = dup(fd);

	read_more(fd);
	must_close(fd);
	read_more(copy);
	must_close(copy);
}

/* One description ends where the other one takes its number. */
void by_dup2(void)
{
	int fd = open_src(), other = open_src();

	read_more(other);
	must(dup2(fd, other) == other, "dup2");
	read_more(other);
}

void by_dupfd(void)
{
	int fd = open_src(), copy = fcntl(fd, F_DUPFD_CLOEXEC, 100);

	read_more(fd);
	read_more(copy);
}

void by_openers(void)
{
	int fd = open_src(), other = open_src();

	read_more(fd);
	read_more(other);
	must_close(fd);
	must_close(other);
}

static void *read_a_part(void *data)
{
	static __thread unsigned char own[1000];
	int fd = *(int *)data;

	for (int i = 0; i < SOME / 1000; i++)
		must_move(pread(fd, own, 1000, i * 1000), 1000, "pread");
	return NULL;
}

void by_threads(void)
{
	pthread_t threads[4];
	int fd = open_src();

	for (int i = 0; i < 4; i++)
		must(!pthread_create(&threads[i], NULL, read_a_part, &fd), "pthread_create");
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

void by_fork(void)
{
	int fd = open_src();
	pid_t pid = fork();

	read_more(fd);
	if (pid == 0)
		_exit(0);
	must_reap(pid);
}

/* What was read before is the parent's alone. */
void by_fork_midway(void)
{
	int fd = open_src();
	pid_t pid;

	read_more(fd);
	pid = fork();
	if (pid == 0) {
		read_more(fd);
		_exit(0);
	}
	must_reap(pid);
}

/* The parent's record says that it moved nothing. */
void by_fork_child_only(void)
{
	int fd = open_src();
	pid_t pid = fork();

	if (pid == 0) {
		read_more(fd);
		_exit(0);
	}
	must_reap(pid);
}

void by_standard_input(void)
{
	read_more(0);
}

void by_inherited(void)
{
	int fd = open_src();

	read_more(fd);
	must(dup2(fd, 0) == 0 && close(fd) == 0, "dup2");
	execl("/proc/self/exe", "ways", "standard_input", (char *)NULL);
	must(0, "execl");
}

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

static struct msghdr message_of(union control *control)
{
	static char byte;
	static struct iovec iov = {&byte, 1};

	return (struct msghdr){.msg_iov = &iov,
			       .msg_iovlen = 1,
			       .msg_control = control,
			       .msg_controllen = sizeof(*control)};
}

static void send_descriptor(int to, int fd)
{
	union control control = {.header = {.cmsg_level = SOL_SOCKET,
					    .cmsg_type = SCM_RIGHTS,
					    .cmsg_len = CMSG_LEN(sizeof(int))}};
	struct msghdr message = message_of(&control);

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	must(sendmsg(to, &message, 0) == 1, "sendmsg");
}

static int receive_descriptor(int from)
{
	union control control;
	struct msghdr message = message_of(&control);
	int fd;

	must(recvmsg(from, &message, 0) == 1, "recvmsg");
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}

/* Over a socket, unix(7), to a process that did not inherit it. */
void by_passed(void)
{
	int ends[2];
	pid_t pid;

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
	pid = fork();
	if (pid == 0) {
		read_more(receive_descriptor(ends[1]));
		_exit(0);
	}
	send_descriptor(ends[0], open_src());
	must_reap(pid);
}

void by_opened_unseen(void)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = {.flags = O_RDONLY};
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, "src", &how, sizeof(how));

	must(fd >= 0, "openat2");
	read_more(fd);
	must_close(fd);
}

void by_closed_all(void)
{
	int fd = open_src();

	read_more(fd);
	must_move(write(create("dst"), way_buffer, SOME), SOME, "write");
	must(close_range(3, ~0U, 0) == 0, "close_range");
}

void by_left_open(void)
{
	read_more(open_src());
	must_move(write(create("dst"), way_buffer, SOME), SOME, "write");
	_exit(0);
}

/* The record has the name that the file had. */
void by_unlinked(void)
{
	int fd = create("dst");

	must_move(write(fd, way_buffer, SOME), SOME, "write");
	must(unlink("dst") == 0, "unlink");
	must_move(write(fd, way_buffer, SOME), SOME, "write");
}
