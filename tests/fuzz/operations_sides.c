/*
 * operations_sides.c - the oracle's spawn_side() by programs that stay: oracle-run -w, one for each
 * policy and for each way to be bare.
 */
#include "diff.h"
#include "fuzz.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SERVERS = 64, LOOKS = 10 }; /* a second */

static struct server {
	int side;
	int bare;
	const char *policy;
	int pid;
	int fd;
} servers[SERVERS];

/* Both sides begin with the same descriptors: libFuzzer has some. */
static void become_server(const struct trial *t, int side, int fd)
{
	char messages[4200];

	setpgid(0, 0);
	dup2(fd, 0);
	dup2(open("/dev/null", O_WRONLY), 1);
	close_range(3, ~0U, 0);
	snprintf(messages, sizeof(messages), "%s", side_path(t, side, ".err"));
	side_become(t, side, messages);
}

static void end(void)
{
	for (struct server *s = servers; s->policy; s++) {
		close(s->fd);
		waitpid(s->pid, NULL, 0);
	}
}

static struct server start(const struct trial *t, int side, int bare)
{
	int ends[2], pid;

	HOLDS(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		become_server(t, side, ends[1]);
	close(ends[1]);
	return (struct server){side, bare, t->policy, pid, ends[0]};
}

/* Bare programs differ by what they are told of O_DIRECT and how often they look. */
static int same_bare(const char *a, const char *b)
{
	return policy_is_lenient(a) == policy_is_lenient(b) &&
	       !strstr(a, "relaxed") == !strstr(b, "relaxed");
}

static struct server *server_of(const struct trial *t, int side)
{
	int bare = side == SIDE_BARE || !t->lib;
	struct server *s = servers;

	for (; s->policy; s++)
		if (s->side == side && s->bare == bare &&
		    (bare ? same_bare(s->policy, t->policy) : s->policy == t->policy))
			return s;
	HOLDS(s < servers + SERVERS - 1);
	if (s == servers)
		atexit(end);
	*s = start(t, side, bare);
	return s;
}

static int word_from(const struct server *s)
{
	int word;

	HOLDS(read(s->fd, &word, sizeof(word)) == sizeof(word));
	return word;
}

/* Many short looks: a fuzzer that is stopped for a while has not waited. */
static int answers(const struct server *s, int seconds)
{
	struct pollfd wanted = {.fd = s->fd, .events = POLLIN};

	for (int i = 0; i < seconds * LOOKS; i++)
		if (poll(&wanted, 1, 1000 / LOOKS) > 0)
			return 1;
	return 0;
}

int spawn_side(const struct trial *t, int side)
{
	const struct server *s = server_of(t, side);
	int pid, in_time, status;

	HOLDS(write(s->fd, "", 1) == 1);
	pid = word_from(s);
	in_time = answers(s, t->seconds);
	if (!in_time)
		kill(-pid, SIGKILL);
	status = word_from(s);
	kill(-pid, SIGKILL);
	return in_time ? status : -1;
}
